import { Stack } from "@mantine/core";
import { choiceLabel } from "../../languages/labels.ts";
import { type FieldKind, ofKind, type Value } from "../field-kind.ts";

// Owned children inline, one line each. They are edited on their own tab.

function Line({ of, entry }: { of: string; entry: Record<string, Value> }) {
  const { id: _id, nodeID: _node, label, ...rest } = entry;
  const details = Object.values(rest).filter((value) => typeof value === "string" && value !== "");
  return (
    <div>
      {choiceLabel(`${of}.label`, String(label))}: {details.join(", ")}
    </div>
  );
}

export const aggregated: FieldKind = {
  Show: ({ field, value }) => (
    <Stack gap={2}>
      {value.map((entry: Record<string, Value>, index: number) => (
        <Line key={entry.id ?? index} of={ofKind(field, "aggregated").of} entry={entry} />
      ))}
    </Stack>
  ),
};
