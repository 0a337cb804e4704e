import { Text, Textarea } from "@mantine/core";
import { type EditProps, type FieldKind, inputProps } from "./field-kind.ts";
import { TextFilter } from "./string.tsx";

// Long text with markup. It is shown as source: only the server can render it safely.

function Edit(props: EditProps) {
  const { value, onChange } = props;
  return (
    <Textarea
      {...inputProps(props)}
      autosize
      minRows={3}
      maxRows={14}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

export const text: FieldKind = {
  Show: ({ value }) => <Text className="text">{value}</Text>,
  Edit,
  Filter: TextFilter,
  wide: true,
};
