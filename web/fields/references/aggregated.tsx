import { Stack } from "@mantine/core";
import { useEnumeration } from "../../queries/index.ts";
import { type FieldKind, ofKind, type Value } from "../field-kind.ts";

// Owned children inline: one line each. They are edited on their own tab.

function Line({ of, entry }: { of: string; entry: Record<string, Value> }) {
  const labels = useEnumeration(`${of}.label`);
  const { id: _id, nodeID: _node, label, ...rest } = entry;
  const title = labels.find(({ id }) => id === label)?.txt ?? label;
  const told = Object.values(rest).filter((value) => typeof value === "string" && value !== "");
  return (
    <div>
      {title}: {told.join(", ")}
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
