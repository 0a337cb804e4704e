import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { ApiError, type Row } from "../../../api/index.ts";
import { errorText } from "../../../elements/error-text.ts";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { type Changes, useSave } from "../../../parts/save/use-save.ts";
import { isNegative } from "../../../queries/status-order.ts";
import type { PageParts } from "../page-parts.ts";
import { isEditable } from "./property-editor.tsx";

type Options = { type: RecordType; row: Row; parts: PageParts; onEditing(name: string | null): void };
/** A status that needs a reason; `seen`: the record that the person saw. */
export type Refusal = { status: string; seen: Row };

/** Changes properties in place: if the change needs another field, the page asks for it and saves both together. */
export function usePropertyChanges({ type, row, parts, onEditing }: Options) {
  const save = useSave(type, String(row.id));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  /** fields shown although they are empty */
  const [added, setAdded] = useState<readonly string[]>([]);
  /** rejected because another field is needed, too: saved together with it */
  const [held, setHeld] = useState<Changes>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const add = (name: string) => {
    setAdded((was) => [...was, name]);
    onEditing(name);
  };
  /** The field that the server requires, if the page can ask for it. */
  const findNeeded = (error: unknown, name: string) =>
    error instanceof ApiError
      ? error.problems.find(
          ([field]) => field !== name && parts.filled.includes(field) && isEditable(type.fields[field]),
        )
      : undefined;
  const messageOf = (name: string) => t("request.changed", { field: fieldLabel(name) });
  /** Resolves to false if the value was rejected. */
  const change = async (name: string, value: unknown, seen: Row): Promise<boolean> => {
    onEditing(null);
    if (name === "status" && isNegative(String(value))) {
      setRefusal({ status: String(value), seen });
      return true;
    }
    setErrors(({ [name]: _, ...rest }) => rest);
    try {
      await save({ ...held, [name]: value }, { message: messageOf(name), seen: { [name]: seen[name] } });
      setHeld({});
    } catch (error) {
      const needed = findNeeded(error, name);
      if (needed === undefined) {
        setErrors((was) => ({ ...was, [name]: errorText(error) }));
        return false;
      }
      const [field, words] = needed;
      setHeld((was) => ({ ...was, [name]: value }));
      add(field);
      setErrors((was) => ({ ...was, [field]: words }));
    }
    return true;
  };
  const refuse = ({ status, seen }: Refusal, note: string) =>
    save({ ...held, status, note }, { message: messageOf("status"), seen: { status: seen.status } });
  return { errors, added, add, change, refusal, refuse, closeRefusal: () => setRefusal(null) };
}
