import { useBlocker } from "@tanstack/react-router";
import type { RefObject } from "react";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../dialogs/confirm-dialog.tsx";

type Props = {
  dirty: RefObject<boolean>;
  /** removes the draft */
  onLeave?(): void;
};

/** Asks before the person leaves a form with changes, by a link or by closing the tab. */
export function LeaveGuard({ dirty, onLeave }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => dirty.current,
    enableBeforeUnload: () => dirty.current,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <ConfirmDialog
      title={t("form.leave")}
      lead={t("form.leaveLead")}
      action={t("form.leaveYes")}
      onConfirm={() => {
        onLeave?.();
        proceed();
      }}
      onClose={reset}
    />
  );
}
