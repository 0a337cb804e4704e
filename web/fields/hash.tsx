import { Code, JsonInput } from "@mantine/core";
import { t } from "../languages/index.ts";
import { type EditProps, type FieldKind, inputProps } from "./field-kind.ts";

// A JSON object, for example custom fields: shown and edited as JSON.

function Edit(props: EditProps) {
  const { value, onChange } = props;
  return (
    <JsonInput
      {...inputProps(props)}
      autosize
      minRows={2}
      formatOnBlur
      validationError={t("form.invalidJson")}
      value={
        typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value, null, 2)
      }
      onChange={(text) => onChange(text.trim() === "" ? null : text)}
    />
  );
}

/** Invalid JSON is sent unchanged: the server reports the error at the field. */
function toWire(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const hash: FieldKind = {
  // Scrolls on narrow pages, also by keyboard.
  Show: ({ value }) => (
    <Code block tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </Code>
  ),
  Edit,
  toWire,
  wide: true,
};
