import { Button, Group, Stack, Text } from "@mantine/core";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import { Secret } from "../forms/secret.tsx";

const isOneTimeSecret = ({ transient, access }: Field): boolean => transient === true && access === "readonly";

/** Whether the answer to a new record shows something that is kept nowhere. */
export const hasOneTimeSecrets = (type: RecordType): boolean => Object.values(type.fields).some(isOneTimeSecret);

/** What an answer shows this once: fields that are kept nowhere and that no caller writes. */
export const findOneTimeSecrets = (type: RecordType, row: Row): [string, string][] =>
  Object.entries(type.fields).flatMap(([name, field]): [string, string][] =>
    isOneTimeSecret(field) && typeof row[name] === "string" ? [[name, row[name]]] : [],
  );

export function OneTimeSecrets({ secrets, onClose }: { secrets: readonly [string, string][]; onClose(): void }) {
  return (
    <Dialog title={t("revealed.title")} size="lg" loose={false} onClose={onClose}>
      <Stack>
        <Text>{t("revealed.lead")}</Text>
        {secrets.map(([name, value]) => (
          <Secret key={name} name={fieldLabel(name)} value={value} />
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t("tokens.done")}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
