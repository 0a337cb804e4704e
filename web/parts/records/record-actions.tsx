import { ActionIcon, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { MoreIcon } from "../../elements/icons.tsx";
import { showError, showMessage, showUndo } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { accountQueries } from "../../queries/account.ts";
import { ConfirmDialog } from "../dialogs/confirm-dialog.tsx";

type Action = "disable" | "enable" | "archive" | "trash" | "restore" | "delete";

/** The actions on a record besides editing, limited to those its type has and the reader may perform. */
function pickActions(type: RecordType, row: Row, here: ReturnType<typeof useCurrentAccount>): Action[] {
  const actions: Action[] = [];
  const away = row.archived === true || row.trashed === true;
  const foreign = row.account !== undefined;
  if ("disabled" in type.fields && here.may("update", type) && !away && !foreign)
    actions.push(row.disabled === true ? "enable" : "disable");
  if (type.deletion.archivable !== null && here.may("archive", type) && here.isAdministrator && !foreign) {
    if (away) actions.push("restore");
    if (row.archived !== true) actions.push("archive");
    if (!away) actions.push("trash");
  }
  if (type.deletion.deletable && here.may("delete", type)) actions.push("delete");
  return actions;
}

/** The action that undoes another. */
const opposites: Readonly<Partial<Record<Action, Action>>> = {
  disable: "enable",
  enable: "disable",
  archive: "restore",
  trash: "restore",
};

type Props = {
  type: RecordType;
  row: Row;
  name: string;
  /** asks for confirmation; without it, the record is disabled immediately */
  onDisable?: (() => void) | undefined;
};

export function RecordActions({ type, row, name, onDisable }: Props) {
  const here = useCurrentAccount();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<"archive" | "trash" | "delete" | null>(null);
  const path = `/${type.collection}/${row.id}`;
  const perform = useMutation({
    mutationFn: async (action: Action): Promise<unknown> => {
      if (action === "delete") return here.api.remove(path);
      if (action === "disable" || action === "enable") return here.api.change(path, { disabled: action === "disable" });
      return here.api.act(`${path}/${action}`);
    },
    onSuccess: async (_answer, action) => {
      const message = t(`record.done.${action}`, { type: typeLabel(type) });
      const opposite = opposites[action];
      if (opposite === undefined) showMessage(message);
      else showUndo(message, () => perform.mutateAsync(opposite));
      if (action === "delete") navigateTo(paths.list(here.account.id, type));
      await queries.invalidateQueries({ queryKey: accountQueries.all(here.api) });
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  const actions = pickActions(type, row, here);
  if (actions.length === 0) return null;
  const start = (action: Action) => {
    if (action === "archive" || action === "trash" || action === "delete") setAsking(action);
    else if (action === "disable" && onDisable !== undefined) onDisable();
    else perform.mutate(action);
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t("record.more")}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Menu.Item key={action} onClick={() => start(action)}>
              {t(`record.${action}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asking !== null && (
        <ConfirmDialog
          title={t("record.confirm", { action: t(`record.${asking}`), name })}
          lead={t(`record.confirm.${asking}`)}
          action={t(`record.${asking}`)}
          busy={perform.isPending}
          onConfirm={() => perform.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
