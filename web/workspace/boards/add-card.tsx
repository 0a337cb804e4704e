import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Kbd } from "../../elements/kbd.tsx";
import { showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import type { NamedRecord } from "./picture.ts";

type Props = {
  title: string;
  /** the draft's key until the card is saved: "agile_board/3/new_card" */
  draftKey: string;
  /** the board or backlog whose template and service instance the new request gets */
  owner: { request_template: NamedRecord | null; service_instance: NamedRecord | null };
  /** the position of the new card, in the format of the API */
  place: Readonly<Record<string, unknown>>;
  columns?: readonly NamedRecord[];
  column?: number | undefined;
  team: NamedRecord | null;
  onClose(): void;
  onAdded(): void;
};

/** A new request for the board or the backlog; all other fields are set on its page. */
export default function AddCard({ title, draftKey, owner, place, columns, column, team, onClose, onAdded }: Props) {
  const { api } = useCurrentAccount();
  const { values, change, draft } = useFormDraft(draftKey, {
    subject: "",
    chosen: column === undefined ? null : String(column),
  });
  const { subject, chosen } = values;
  const finish = () => {
    draft.remove();
    onClose();
  };
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (subject.trim() === "") return;
    setBusy(true);
    setError(null);
    try {
      const { request_template: template, service_instance: instance } = owner;
      const row = await api.create("/requests", {
        subject: subject.trim(),
        ...(template === null ? { category: "rfc" } : { template_id: template.id }),
        ...(instance === null ? {} : { service_instance_id: instance.id }),
        ...(team === null ? {} : { team_id: team.id }),
        ...place,
        ...(chosen === null ? {} : { agile_board_column_id: Number(chosen) }),
      });
      showMessage(t("boards.added", { id: formatWorkId("request", row.id) }));
      onAdded();
      finish();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="quick-edit"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextInput
          label={fieldLabel("subject")}
          data-autofocus
          maxLength={255}
          value={subject}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
        {columns !== undefined && (
          <Select
            label={fieldLabel("agile_board_column")}
            data={columns.map((each) => ({ value: String(each.id), label: each.name }))}
            allowDeselect={false}
            value={chosen}
            onChange={(wanted) => change({ chosen: wanted })}
          />
        )}
        {error !== null && (
          <p role="alert" className="form-error">
            {errorText(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={finish}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy} rightSection={<Kbd keys="enter" />}>
            {t("boards.add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
