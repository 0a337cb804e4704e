import { Badge, Box, Group, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useLinkKeys } from "../../actions/link-keys.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Link } from "../../parts/link.tsx";
import { Pager } from "../../parts/lists/pager.tsx";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { paths } from "../../paths.ts";
import { findEntry } from "../../type-index.ts";
import { SearchBox } from "../shell/search-box.tsx";
import { useFrameSize } from "../shell/use-frame-size.ts";
import { HighlightedText } from "./highlighted-text.tsx";

type SearchResult = { id: number; type: string; title: string; highlights: { title: string; details?: string } };

/** From the search box to the first result, and from one to the next. Elsewhere the arrows scroll, as always. */
const moveFocus = (by: 1 | -1) => (event: KeyboardEvent) => {
  const stops = [...document.querySelectorAll<HTMLElement>(".searchbox input, .found a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? undefined : stops[at + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
};

export function SearchScreen() {
  const { account, api } = useCurrentAccount();
  const { q = "", search_after, search_before } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const text = q.trim();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "search", text, search_after, search_before],
    queryFn: () => api.list("/search", { q: text, search_after, search_before }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
  useLinkKeys(".found a");
  const free = { preventDefault: false };
  const everywhere: string[] = []; // the elements in which keys do nothing
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
              {(data.rows as SearchResult[]).map((row) => (
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

/** On a phone the menu with its search box is out of sight. */
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
