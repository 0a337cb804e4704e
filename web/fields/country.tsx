import { useEnumeration } from "../queries/index.ts";
import { type EditProps, inputProps } from "./field-kind.ts";
import { Select } from "./pickers/select.tsx";

export function CountryField(props: EditProps) {
  const countries = useEnumeration("countries");
  return (
    <Select
      {...inputProps(props)}
      searchable
      clearable
      data={[...countries]}
      value={props.value ?? null}
      onChange={props.onChange}
      clearButtonProps={{ "aria-hidden": true }}
    />
  );
}
