import { TagsInput } from "@mantine/core";
import { type EditProps, type FieldKind, inputProps } from "./field-kind.ts";

const Edit = (props: EditProps) => (
  <TagsInput {...inputProps(props)} value={props.value ?? []} onChange={props.onChange} />
);

export const strings: FieldKind = { Show: ({ value }) => <>{value.join(", ")}</>, Edit };
