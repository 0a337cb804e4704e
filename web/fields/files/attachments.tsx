import { Anchor, Group, Stack, Text } from "@mantine/core";
import { formatSize } from "../../base/formats.ts";
import { FileIcon } from "../../elements/icons.tsx";
import type { FieldKind } from "../field-kind.ts";

type Attachment = { key: string; name: string; uri: string; size: number | null; inline: boolean };

export const attachments: FieldKind = {
  Show: ({ value }) => (
    <Stack gap={4}>
      {value.map((file: Attachment) => (
        <Group key={file.key} gap={6}>
          <FileIcon size={16} />
          <Anchor href={file.uri} rel="noreferrer noopener">
            {file.name}
          </Anchor>
          {file.size !== null && (
            <Text size="sm" c="dimmed">
              {formatSize(file.size)}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  ),
  wide: true,
};
