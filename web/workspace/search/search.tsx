import { Badge, Box, Group, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useLinkKeys } from "../../actions/link-keys.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { SearchResult } from "../../api/search.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Pager } from "../../parts/lists/pager.tsx";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { type SearchCursor, searchQueries } from "../../queries/workspace/search.ts";
import { SearchBox } from "../shell/search-box.tsx";
import { useFrameSize } from "../shell/use-frame-size.ts";
import { HighlightedText } from "./highlighted-text.tsx";

/** From the search box to the first result, and from one to the next. Elsewhere the arrow keys scroll. */
const moveFocus = (by: 1 | -1) => (event: KeyboardEvent) => {
  const stops = [...document.querySelectorAll<HTMLElement>(".searchbox input, .found a")];
  const at = stops.findIndex((stop) => stop.matches(":focus"));
  const next = at < 0 ? undefined : stops[at + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
};

type SearchAddress = { q?: string } & SearchCursor;

export function SearchScreen() {
  const { account, api } = useCurrentAccount();
  const { q = "", ...cursor } = useSearch({ strict: false, select: (search: SearchAddress) => search });
  const text = q.trim();
  const { data, error, refetch } = useQuery(searchQueries.page(api, text, cursor));
  useLinkKeys(".found a");
  const free = { preventDefault: false };
  const everywhere: string[] = []; // the elements in which keys are ignored
  useHotkeys(
    [
      ["ArrowDown", moveFocus(1), free],
      ["ArrowUp", moveFocus(-1), free],
    ],
    everywhere,
  );
  const turn = (to: Record<string, string>) => navigateTo(paths.search(account.id, text, to));
  return (
    <div>
      <PageHeader title={text === "" ? t("search.title") : t("search.for", { text })} />
      <PhoneSearch />
      <Box className="card">
        {text === "" ? (
          <EmptyState title={t("search.nothingAsked")} lead={t("search.nothingAskedLead")} />
        ) : error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton />
        ) : data.rows.length === 0 ? (
          <EmptyState title={t("search.none", { text })} lead={t("search.noneLead")} />
        ) : (
          <>
            <ol className="found">
              {data.rows.map((row) => (
                <RowBoundary key={`${row.type} ${row.id}`} row={row}>
                  {() => <Result row={row} />}
                </RowBoundary>
              ))}
            </ol>
            <Pager
              page={data}
              onNext={(cursor) => turn({ search_after: cursor })}
              onPrevious={(cursor) => turn({ search_before: cursor })}
            />
          </>
        )}
      </Box>
    </div>
  );
}

/** On a phone the menu with its search box is hidden. */
function PhoneSearch() {
  const { phone: isPhone } = useFrameSize();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isPhone) input.current?.focus();
  }, [isPhone]);
  return isPhone ? <SearchBox input={input} onLeave={() => input.current?.blur()} /> : null;
}

function Result({ row }: { row: SearchResult }) {
  const { account } = useCurrentAccount();
  const type = findEntry(row.type.replaceAll("-", "_"));
  if (type === undefined) return null;
  return (
    <li className="cardrow">
      <Box px="md" py="sm">
        <Group gap="sm" wrap="nowrap" align="baseline">
          <Link to={paths.record(account.id, type, row.id)} fw={600} className="wrap">
            <HighlightedText html={row.highlights.title} />
          </Link>
          <Badge variant="default" size="sm" flex="none">
            {typeLabel(type)}
          </Badge>
          <Text size="sm" c="dimmed" className="nowrap">
            {formatWorkId(type.name, row.id)}
          </Text>
        </Group>
        {row.highlights.details !== undefined && (
          <Text size="sm" c="dimmed" lineClamp={2} className="wrap" mt={2}>
            <HighlightedText html={row.highlights.details} />
          </Text>
        )}
      </Box>
    </li>
  );
}
