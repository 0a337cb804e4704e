import { Anchor, Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { linkTo } from "../base/history.ts";
import { t } from "../languages/index.ts";

type Props = {
  title: string;
  lead?: string | undefined;
  /** beside the title: badges */
  beside?: ReactNode;
  /** at the far end: buttons */
  actions?: ReactNode;
  trail?: readonly { label: string; path: string }[];
};

export function PageHeader({ title, lead, beside, actions, trail = [] }: Props) {
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title]);
  return (
    <Box mb="lg">
      {trail.length > 0 && (
        <nav aria-label={t("record.breadcrumb")} className="header-trail">
          {trail.map(({ label, path }) => (
            <Anchor key={path} size="sm" {...linkTo(path)}>
              {label}
            </Anchor>
          ))}
        </nav>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" maw="100%">
          <Title order={1} size="h2" className="wrap">
            {title}
          </Title>
          {beside}
        </Group>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {lead !== undefined && (
        <Text c="dimmed" mt={4}>
          {lead}
        </Text>
      )}
    </Box>
  );
}
