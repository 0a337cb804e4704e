import { useCodeName, useCodes } from "../../queries/codes.ts";
import { type EditProps, type FieldKind, type FilterProps, inputProps, ofKind, type ShowProps } from "../field-kind.ts";
import { MultiSelect } from "../pickers/multi-select.tsx";
import { Select } from "../pickers/select.tsx";

// A record of a type that an account defines, stored by its reference: people choose by its name.

/** The chosen value stays visible, even if it is disabled by now. */
const withChosen = (choices: { value: string; label: string }[], chosen: readonly string[]) => [
  ...choices,
  ...chosen.filter((each) => !choices.some(({ value }) => value === each)).map((value) => ({ value, label: value })),
];

export const CodeName = ({ to, reference }: { to: string; reference: string }) => <>{useCodeName(to, reference)}</>;

function Edit(props: EditProps) {
  const { choices } = useCodes(ofKind(props.field, "code").to);
  return (
    <Select
      {...inputProps(props)}
      data={withChosen(choices, props.value ? [props.value] : [])}
      searchable
      clearable={!props.required}
      allowDeselect={!props.required}
      value={props.value ?? null}
      onChange={props.onChange}
    />
  );
}

function Filter({ field, label, value, onChange }: FilterProps) {
  const { choices } = useCodes(ofKind(field, "code").to);
  const chosen = value === "" ? [] : value.split(",");
  return (
    <MultiSelect
      label={label}
      data={withChosen(choices, chosen)}
      searchable
      value={chosen}
      onChange={(wanted) => onChange(wanted.join(","))}
      data-autofocus
    />
  );
}

const Show = ({ field, value }: ShowProps) => <CodeName to={ofKind(field, "code").to} reference={String(value)} />;

export const code: FieldKind = { Show, Edit, Filter };
