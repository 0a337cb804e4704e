import { Button } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { getFieldKind } from "../../fields/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { errorText } from "../../parts/error-text.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { findType } from "../../record-types.ts";
import type { Column } from "./picture.ts";

const names = [
  "name",
  "action_type",
  "team",
  "member",
  "clear_member",
  "dialog_type",
  "wip_limit",
  "remove_after",
] as const;
type Name = (typeof names)[number];
/** What only an action of this kind has. */
const ofAssign: readonly Name[] = ["team", "member", "clear_member"];

type Props = { board: number; column: Column; onClose(): void; onSaved(): void };

/** What a column does, and how much it holds. */
export default function ColumnDialog({ board, column, onClose, onSaved }: Props) {
  const { api } = useCurrentAccount();
  const type = findType("agile_board_column");
  const [start] = useState(
    () => Object.fromEntries(names.map((name) => [name, column[name]])) as Record<Name, unknown>,
  );
  const { values, change, draft } = useFormDraft(`agile_board_column/${column.id}`, start);
  const finish = () => {
    draft.remove();
    onClose();
  };
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = new Map(error instanceof ApiError ? error.problems : []);
  const shown = names.filter((name) => values.action_type === "assign" || !ofAssign.includes(name));
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      const { team, member, ...plain } = values;
      const isAssign = plain.action_type === "assign";
      const idOf = (value: unknown) => (isAssign ? ((value as { id: number } | null)?.id ?? null) : null);
      await api.change(`/agile_boards/${board}/agile_board_columns/${column.id}`, {
        ...Object.fromEntries(
          names.filter((name) => name in plain).map((name) => [name, plain[name as keyof typeof plain]]),
        ),
        team_id: idOf(team),
        member_id: idOf(member),
        ...(isAssign ? {} : { clear_member: false }),
      });
      onSaved();
      finish();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("boards.editColumn")} loose={false} onClose={onClose}>
      <form
        className="quick-edit"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <RestoredDraft draft={draft} onDiscard={draft.remove} />
        {shown.map((name) => {
          const field = type?.fields[name];
          const Edit = field === undefined ? undefined : getFieldKind(field).Edit;
          if (field === undefined || Edit === undefined) return null;
          const { note: _, ...plain } = field;
          return (
            <Edit
              key={name}
              name={name}
              field={plain as typeof field}
              label={t(`boards.column.${name}`) || fieldLabel(name)}
              value={values[name] ?? null}
              onChange={(value) => change({ [name]: value })}
              error={problems.get(name)}
              required={name === "name" || name === "action_type" || name === "dialog_type"}
            />
          );
        })}
        {error !== null && problems.size === 0 && (
          <p role="alert" className="form-error">
            {errorText(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={finish}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t("form.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
