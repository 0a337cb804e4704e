import { Button, Group, Input, Stack } from "@mantine/core";
import { RemovablePill } from "../../elements/removable-pill.tsx";
import { t } from "../../languages/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { type EditProps, type FieldKind, inputProps, ofKind, type ShowProps } from "../field-kind.ts";
import { ReferencePicker } from "../pickers/reference-picker.tsx";
import { ReferenceLink } from "./reference.tsx";

// Several records of one type. The list is written as a whole.

/** Turns a list of plain ids into references without further members. */
const toReferences = (value: readonly (Reference | number)[] | null): Reference[] =>
  (value ?? []).map((each) => (typeof each === "number" ? { id: each } : each));

function Show({ field, value }: ShowProps) {
  return (
    <Stack gap={2}>
      {toReferences(value).map((each) => (
        <ReferenceLink key={each.id} to={ofKind(field, "references").to} value={each} />
      ))}
    </Stack>
  );
}

function Edit(props: EditProps) {
  const { field, label, onChange } = props;
  const chosen = toReferences(props.value);
  return (
    <Input.Wrapper {...inputProps(props)} labelElement="div">
      <Group gap={6} my={6}>
        {chosen.map((each) => (
          <RemovablePill
            key={each.id}
            name={getReferenceName(each)}
            onRemove={() => onChange(chosen.filter(({ id }) => id !== each.id))}
          />
        ))}
        {chosen.length > 1 && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange([])}>
            {t("filter.clear")}
          </Button>
        )}
      </Group>
      <ReferencePicker
        aria-label={label}
        to={ofKind(field, "references").to}
        value={null}
        onChange={(added) =>
          added !== null && !chosen.some(({ id }) => id === added.id) && onChange([...chosen, added])
        }
      />
    </Input.Wrapper>
  );
}

export const references: FieldKind = {
  Show,
  Edit,
  toWire: (value: (Reference | number)[] | null) => toReferences(value).map(({ id }) => id),
};
