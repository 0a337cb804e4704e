import { Button, Group, Text } from "@mantine/core";
import { t } from "../../languages/index.ts";
import { Dialog } from "./dialog.tsx";

type Props = {
  title: string;
  lead: string;
  action: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm(): void;
  onClose(): void;
};

/** Asks before an action that can't easily be undone. */
export function ConfirmDialog({ title, lead, action, danger = true, busy = false, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Text mb="lg">{lead}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("form.cancel")}
        </Button>
        <Button {...(danger ? { color: "red.9" } : {})} loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
