import { Stack, Text } from "@mantine/core";
import { fieldLabel } from "../../languages/labels.ts";
import type { ShowProps } from "../field-kind.ts";
import { memberKinds } from "./recurrence-kinds.ts";
import { type Hash, pickMembers } from "./recurrence-members.ts";
import { describeRecurrence } from "./recurrence-sentence.ts";

/** The members that the sentence contains, so that they aren't shown twice. */
const membersInSentence = [
  ...["frequency", "interval", "time_of_day", "time_zone", "day", "day_of_week", "day_of_week_index"],
  ...["day_of_week_day", "day_of_month", "month_of_year"],
];

export function ShownRecurrence({ field, value, row }: ShowProps) {
  const hash: Hash = value;
  const sentence = describeRecurrence(hash);
  const otherMembers = pickMembers(field, hash).filter(
    ([name]) => hash[name] != null && hash[name] !== false && (sentence === null || !membersInSentence.includes(name)),
  );
  return (
    <Stack gap={2}>
      {sentence !== null && (
        <div>
          {sentence}{" "}
          <Text span c="dimmed" size="sm">
            {hash.time_zone}
          </Text>
        </div>
      )}
      {otherMembers.map(([name, inner]) => {
        const { Show } = memberKinds[name];
        return (
          <div key={name}>
            <Text span c="dimmed" size="sm">
              {fieldLabel(name)}:{" "}
            </Text>
            <Show name={name} field={inner} value={hash[name]} row={row} />
          </div>
        );
      })}
    </Stack>
  );
}
