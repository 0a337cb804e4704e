import { Button } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { findType } from "../../base/record-types.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { getFieldKind } from "../../fields/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
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
/** Fields that only an action of this kind has. */
const ofAssign: readonly Name[] = ["team", "member", "clear_member"];

/** Fields edit values of any type. */
type Values = { [N in Name]: unknown };
const pickValues = ({
  name,
  action_type,
  team,
  member,
  clear_member,
  dialog_type,
  wip_limit,
  remove_after,
}: Column): Values => ({ name, action_type, team, member, clear_member, dialog_type, wip_limit, remove_after });

const getId = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "id" in value ? value.id : null;

type Props = { board: number; column: Column; onClose(): void; onSaved(): void };

/** The action and the limit of a column. */
export default function ColumnDialog({ board, column, onClose, onSaved }: Props) {
  const { api } = useCurrentAccount();
  const type = findType("agile_board_column");
  const [start] = useState((): Values => pickValues(column));
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
      await api.change(`/agile_boards/${board}/agile_board_columns/${column.id}`, {
        ...plain,
        team_id: isAssign ? getId(team) : null,
        member_id: isAssign ? getId(member) : null,
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
          // The note in the declaration is for integrators, not for the form.
          const plain = { ...field, note: undefined };
          return (
            <Edit
              key={name}
              name={name}
              field={plain}
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
