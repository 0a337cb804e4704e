import { ActionIcon, Group, Text } from "@mantine/core";
import type { Page } from "../../api/index.ts";
import { NextIcon, PreviousIcon } from "../../elements/icons.tsx";
import { t } from "../../languages/index.ts";
import { toCount } from "../../queries/total.ts";

type Props = { page: Page; onNext(cursor: string): void; onPrevious(cursor: string): void };

/** The position in a list, with links to the previous and next page. Cursors come from the server's Link header. */
export function Pager({ page, onNext, onPrevious }: Props) {
  const { rows, perPage, next, prev } = page;
  const total = toCount(page);
  const from = (page.page - 1) * perPage + 1;
  return (
    <Group component="nav" aria-label={t("list.pages")} justify="space-between" px="md" py="xs">
      <Text size="sm" c="dimmed" role="status">
        {next === null && prev === null
          ? t("list.records", { count: total })
          : t("list.range", { from, to: from + rows.length - 1, total })}
      </Text>
      {(next !== null || prev !== null) && (
        <Group gap={6}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t("list.previous")}
            disabled={prev === null}
            onClick={() => prev !== null && onPrevious(prev)}
          >
            <PreviousIcon />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t("list.next")}
            disabled={next === null}
            onClick={() => next !== null && onNext(next)}
          >
            <NextIcon />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}
