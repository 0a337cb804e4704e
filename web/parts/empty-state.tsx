import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { EmptyIcon } from "./icons.tsx";

export function EmptyState({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" p="xl" ta="center">
      <EmptyIcon size={36} />
      <Text fw={600}>{title}</Text>
      {lead !== undefined && <Text c="dimmed">{lead}</Text>}
      {children}
    </Stack>
  );
}
