import { Code, JsonInput } from "@mantine/core";
import { t } from "../languages/index.ts";
import { type EditProps, type FieldKind, inputProps } from "./field-kind.ts";

// A JSON object, custom fields among them: shown and edited as what it is, until their forms are known.

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

/** Text that is no JSON is sent as it is: the server says what is wrong with it, at its field. */
function toWire(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const hash: FieldKind = {
  // It scrolls on narrow pages, by keyboard too.
  Show: ({ value }) => (
    <Code block tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </Code>
  ),
  Edit,
  toWire,
  wide: true,
};
