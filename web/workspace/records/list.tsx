import { Alert, Box, Button, Group, LoadingOverlay, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst, typeLabel, viewLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { AddIcon } from "../../parts/icons.tsx";
import { ColumnMenu } from "../../parts/lists/column-menu.tsx";
import { FilterBar, pickFilterableFields } from "../../parts/lists/filter-bar.tsx";
import { Pager } from "../../parts/lists/pager.tsx";
import { RecordTable } from "../../parts/lists/record-table.tsx";
import { SortMenu } from "../../parts/lists/sort-menu.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { paths } from "../../paths.ts";
import { useList } from "../../queries/index.ts";

// The list of a record type. The address holds the parameters of the API call, under the same names.

/** The tab that is no predefined filter. */
const allRecords = "(all)";

type Search = Record<string, string | undefined>;

const isCreatable = (type: RecordType) => !type.journal && type.createdUnder.length === 0;

export function ListScreen({ type }: { type: RecordType }) {
  const { account, may } = useCurrentAccount();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = (wanted: Search) => void navigate({ to: ".", search: wanted as never });
  /** A new selection begins at its first page. */
  const select = (part: Search) => change({ ...search, search_after: undefined, search_before: undefined, ...part });

  const filters = Object.fromEntries(
    pickFilterableFields(type).flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  ) as Record<string, string>;
  const columns = search.fields?.split(",").filter((name) => type.fields[name] !== undefined) ?? type.defaultFields;
  const { state, sort, fields, search_after, search_before } = search;
  const query = { ...filters, state, sort, fields, search_after, search_before };
  const { data, error, refetch, isPlaceholderData } = useList(`/${type.collection}`, query);

  const [title, types] = [collectionLabel(type), lowerFirst(collectionLabel(type))];
  const views = Object.keys(type.views);
  const narrowed = state !== undefined || Object.keys(filters).length > 0;
  return (
    <div>
      <PageHeader
        title={title}
        actions={
          isCreatable(type) &&
          may("create", type) && (
            <Button leftSection={<AddIcon size={16} />} {...linkTo(paths.create(account.id, type))}>
              {t("list.new", { type: lowerFirst(typeLabel(type)) })}
            </Button>
          )
        }
      />
      {views.length > 0 && (
        <Tabs
          value={state ?? allRecords}
          onChange={(view) => select({ state: view === allRecords ? undefined : (view ?? undefined) })}
          mb="sm"
          variant="pills"
          keepMounted={false}
        >
          <Tabs.List aria-label={t("list.views")}>
            <Tabs.Tab value={allRecords}>{t("list.all")}</Tabs.Tab>
            {views.map((view) => (
              <Tabs.Tab key={view} value={view}>
                {viewLabel(view)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      <Group justify="space-between" mb="sm" gap="xs">
        <FilterBar
          type={type}
          filters={filters}
          onChange={(wanted) =>
            select({ ...Object.fromEntries(pickFilterableFields(type).map((name) => [name, undefined])), ...wanted })
          }
        />
        <Group gap="xs">
          <SortMenu type={type} sort={sort ?? type.sort} onSort={(wanted) => select({ sort: wanted })} />
          <ColumnMenu
            type={type}
            columns={columns}
            onChange={(wanted) => change({ ...search, fields: wanted?.join(",") })}
          />
        </Group>
      </Group>
      <Box className="card" pos="relative" aria-busy={isPlaceholderData}>
        {error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton rows={8} />
        ) : data.rows.length === 0 ? (
          <EmptyState
            title={t(narrowed ? "list.noMatch" : "list.empty", { types })}
            lead={t(narrowed ? "list.noMatchLead" : "list.emptyLead")}
          />
        ) : (
          <>
            <LoadingOverlay visible={isPlaceholderData} overlayProps={{ backgroundOpacity: 0.4 }} />
            <RecordTable
              type={type}
              columns={columns}
              rows={data.rows}
              label={title}
              sort={sort ?? type.sort}
              onSort={(wanted) => select({ sort: wanted })}
            />
            {type.cap !== null && data.total >= type.cap && <Alert>{t("list.throttled")}</Alert>}
            <Pager
              page={data}
              onNext={(cursor) => select({ search_after: cursor })}
              onPrevious={(cursor) => select({ search_before: cursor })}
            />
          </>
        )}
      </Box>
    </div>
  );
}
