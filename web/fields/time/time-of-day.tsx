import { TextInput } from "@mantine/core";
import { type EditProps, type FieldKind, inputProps } from "../field-kind.ts";

// hh:mm. Not the browser's time picker, because 24:00, the end of a day, is valid here.

function Edit(props: EditProps) {
  return (
    <TextInput
      {...inputProps(props)}
      placeholder="hh:mm"
      maxLength={5}
      value={props.value ?? ""}
      onChange={(event) => props.onChange(event.currentTarget.value || null)}
    />
  );
}

export const timeOfDay: FieldKind = { Show: ({ value }) => <>{value}</>, Edit };
