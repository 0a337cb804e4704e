import { Input } from "@mantine/core";
import { fieldLabel } from "../../languages/labels.ts";
import { type EditProps, ofKind, type Value } from "../field-kind.ts";
import { NextDates } from "./next-dates.tsx";
import { memberKinds } from "./recurrence-kinds.ts";
import { type Hash, pickMembers, toWire } from "./recurrence-members.ts";

/** The form's initial values, so that choosing a frequency completes the recurrence. */
const initialRecurrence: Hash = { interval: 1, day_of_week: false, disabled: false };

export function RecurrenceForm({ name, field, label, value, onChange, error }: EditProps) {
  const hash: Hash = value ?? {};
  const { without } = ofKind(field, "recurrence");
  const initial = Object.fromEntries(Object.entries(initialRecurrence).filter(([member]) => !without.includes(member)));
  const set = (member: string, wanted: Value) => {
    if (member === "frequency" && wanted === null) onChange(null);
    else onChange({ ...initial, ...hash, [member]: wanted });
  };
  return (
    <fieldset className="form-group">
      <legend>{label}</legend>
      {field.note !== undefined && <Input.Description mb="xs">{field.note}</Input.Description>}
      <div className="fields">
        {pickMembers(field, hash).map(([member, inner]) => {
          const { Edit: Inner } = memberKinds[member];
          if (Inner === undefined || inner.access === "readonly") return null;
          return (
            <Inner
              key={member}
              name={`${name}.${member}`}
              field={inner}
              label={fieldLabel(member)}
              value={hash[member]}
              onChange={(wanted) => set(member, wanted)}
              required={false}
            />
          );
        })}
      </div>
      {hash.frequency != null && !without.includes("start_date") && <NextDates recurrence={toWire(hash)} />}
      {error !== undefined && (
        <Input.Error mt="xs" role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  );
}
