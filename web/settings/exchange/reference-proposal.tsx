import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { isCreatable } from "../../base/record-types.ts";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { lowerFirst, typeLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { RecordForm } from "../../parts/forms/record-form.tsx";
import type { Reference } from "../../queries/reference.ts";

type Props = {
  type: RecordType;
  /** the fields that identify a record of the type */
  by: readonly string[];
  /** the original text in the file */
  cell: string;
  /** no record has the name, several have it, or one has it by now */
  lookup: "unknown" | "ambiguous" | "known";
  onCorrect(cell: string): void;
};

/** A cell whose text matches no record, or several: create the record right here, or choose one. */
export function ReferenceProposal({ type, by, cell, lookup, onCorrect }: Props) {
  const { api, may } = useCurrentAccount();
  const [dialog, setDialog] = useState<"create" | "choose" | null>(null);
  const [chosen, setChosen] = useState<Reference | null>(null);
  const close = () => setDialog(null);
  const mayCreate = lookup === "unknown" && isCreatable(type) && may("create", type);
  const name = lowerFirst(typeLabel(type));
  // An email address isn't a name: people are looked up by their address.
  const key = by.find((field) => (field === "primary_email") === cell.includes("@")) ?? "name";
  const initialValues = key in type.fields ? { [key]: cell } : {};
  if (lookup === "known")
    return (
      <button type="button" className="proposal" onClick={() => onCorrect(cell)}>
        {t("exchange.useIt")}
      </button>
    );
  return (
    <>
      {mayCreate && (
        <>
          <button type="button" className="proposal" onClick={() => setDialog("create")}>
            {t("exchange.createIt")}
          </button>
          <span className="quiet"> · </span>
        </>
      )}
      <button type="button" className="proposal" onClick={() => setDialog("choose")}>
        {t("exchange.chooseOne")}
      </button>
      {dialog === "create" && (
        <Dialog onClose={close} size="lg" title={t("form.new", { type: name })}>
          <RecordForm
            type={type}
            initialValues={initialValues}
            onCancel={close}
            onSave={async (values) => {
              const created = await api.create(`/${type.collection}`, values);
              close();
              onCorrect(buildName(created, by));
            }}
          />
        </Dialog>
      )}
      {dialog === "choose" && (
        <Dialog onClose={close} title={t("tab.choose", { type: name })}>
          <ReferencePicker aria-label={typeLabel(type)} to={type.name} value={chosen} onChange={setChosen} />
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close}>
              {t("form.cancel")}
            </Button>
            <Button
              disabled={chosen === null}
              onClick={() => {
                close();
                // The id, because several records may have its name.
                if (chosen !== null) onCorrect(`#${chosen.id}`);
              }}
            >
              {t("exchange.useIt")}
            </Button>
          </Group>
        </Dialog>
      )}
    </>
  );
}

const buildName = (row: Row, by: readonly string[]): string => {
  const text = by.map((field) => row[field]).find((value) => typeof value === "string" && value !== "");
  return text === undefined ? `#${row.id}` : String(text);
};
