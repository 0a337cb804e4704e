import { type FieldKind, ofKind, type Value } from "../field-kind.ts";
import { ReferenceLink } from "./reference.tsx";

// The record that a journal entry refers to. In the API its member is named after its type.

export const subject: FieldKind = {
  Show({ field, row }) {
    const type = String(row[ofKind(field, "subject").type] ?? "");
    const about: Value = row[type];
    if (about === undefined || about === null) return null;
    return <ReferenceLink to={type} value={{ ...about, name: about.display_name ?? about.name ?? about.subject }} />;
  },
};
