import { Text, VisuallyHidden } from "@mantine/core";
import type { Field } from "../../records/vocabulary/index.ts";
import type { Row } from "../api/index.ts";
import { t } from "../languages/index.ts";
import { getFieldKind } from "./index.ts";

const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** The value of a field in a row; a dash if it is empty. */
export function FieldValue({ name, field, row }: { name: string; field: Field; row: Row }) {
  const value = row[name];
  const { Show } = getFieldKind(field);
  if (field.kind !== "subject" && isBlank(value))
    return (
      <Text component="span" c="dimmed">
        <span aria-hidden="true">{t("value.none")}</span>
        <VisuallyHidden>{t("value.noneSpoken")}</VisuallyHidden>
      </Text>
    );
  return <Show name={name} field={field} value={value} row={row} />;
}
