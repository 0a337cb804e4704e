import { Button, Checkbox, Progress } from "@mantine/core";
import IconRestore from "@tabler/icons-react/dist/esm/icons/IconRestore.mjs";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatDate } from "../../base/formats.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findType, typeGroups } from "../../base/record-types.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { errorText } from "../../elements/error-text.ts";
import { showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { getReferenceName } from "../../queries/reference.ts";
import { archiveQueries, type RemovedEntry, type RemovedList } from "../../queries/settings/archive.ts";
import { getJournalRecord, getJournalRecordName } from "../audit/journal-record.ts";
import { useAddressSearch } from "../use-address-search.ts";
import "../../styles/settings/audit.css";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { toCount } from "../../queries/total.ts";

// Records removed from the lists: archived records stay permanently, records in the trash are deleted after 28 days.

export const ArchiveScreen = () => <RemovedScreen key="archive" list="archive" />;
export const TrashScreen = () => <RemovedScreen key="trash" list="trash" />;

/** the server's retention of the trash */
const daysInTrash = 28;

const getTypeName = (entry: RemovedEntry): string => entry.archived ?? entry.trashed ?? "";
const getRecord = (entry: RemovedEntry) => getJournalRecord(entry, getTypeName(entry));
const getName = (entry: RemovedEntry): string => getJournalRecordName(getRecord(entry));
const getDeletionDate = ({ created_at }: RemovedEntry): string =>
  new Date(Date.parse(created_at) + daysInTrash * 86_400_000).toISOString();

function RemovedScreen({ list }: { list: RemovedList }) {
  const { account, api, isAdministrator } = useCurrentAccount();
  const [{ type }, setSearch] = useAddressSearch("type");
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const restore = useRestore(list);
  const entries = useInfiniteQuery({ ...archiveQueries.entries(api, list, type), enabled: isAdministrator });
  const rows = entries.data?.pages.flatMap((page) => page.rows) ?? [];
  const picked = rows.filter(({ id }) => chosen.has(id));
  const choose = (id: number, wanted: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      if (wanted) next.add(id);
      else next.delete(id);
      return next;
    });
  const restoreChosen: Action = {
    ...{ id: "away.restore", name: t("away.restoreChosen", { count: picked.length }), icon: IconRestore },
    ...{ group: "selection" as const, when: picked.length > 0 && restore.progress === null },
    async run() {
      await restore.run(picked);
      setChosen(new Set());
    },
  };
  useActions([restoreChosen]);
  if (!isAdministrator) return <Forbidden />;
  const first = entries.data?.pages[0];
  const types = typeGroups.flatMap((group) => group.types).filter(({ deletion }) => deletion.archivable !== null);
  const areAllChosen = rows.length > 0 && picked.length === rows.length;
  return (
    <div className="page">
      <PageBar title={t("settings.archive")} actions={<ActionButton action={restoreChosen} primary />}>
        <PageTabs
          label={t("settings.archive")}
          active={list}
          tabs={[
            { key: "archive", label: t("away.archive"), path: settingsPaths.archive(account.id) },
            { key: "trash", label: t("away.trash"), path: settingsPaths.trash(account.id) },
          ]}
        />
      </PageBar>
      <div className="audit-bar">
        <div className="audit-filters">
          <Select
            aria-label={t("rights.type")}
            placeholder={t("audit.anyType")}
            searchable
            clearable
            data={types.map((each) => ({ value: each.name, label: collectionLabel(each) }))}
            value={type ?? null}
            onChange={(wanted) => {
              setChosen(new Set());
              setSearch({ type: wanted ?? "" });
            }}
          />
          {rows.length > 0 && (
            <Checkbox
              label={t("away.chooseAll")}
              checked={areAllChosen}
              indeterminate={picked.length > 0 && !areAllChosen}
              onChange={(event) =>
                setChosen(event.currentTarget.checked ? new Set(rows.map(({ id }) => id)) : new Set())
              }
            />
          )}
        </div>
        <span className="quiet">
          {list === "trash" ? t("away.trashLead", { days: daysInTrash }) : t("away.archiveLead")}
          {first !== undefined && ` · ${t("away.count", { count: toCount(first) })}`}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard */}
      <section className="page-body audit-body" tabIndex={0} aria-label={t("settings.archive")}>
        <div role="status">
          {restore.progress !== null && (
            <Progress value={restore.progress * 100} aria-label={t("away.restoring")} m="md" />
          )}
          {restore.refused.map(({ name, reason }) => (
            <p key={name} className="form-error" style={{ paddingInline: 20 }}>
              {t("away.refused", { name, reason })}
            </p>
          ))}
        </div>
        {entries.error !== null ? (
          <ErrorPanel error={entries.error} retry={() => void entries.refetch()} />
        ) : entries.data === undefined ? (
          <SkeletonRows rows={8} />
        ) : rows.length === 0 ? (
          <EmptyState title={t(list === "trash" ? "away.noTrash" : "away.noArchive")} />
        ) : (
          <ul className="away-list" aria-label={t(list === "trash" ? "away.trash" : "away.archive")}>
            {rows.map((entry) => (
              <RowBoundary key={entry.id} row={entry}>
                {() => (
                  <AwayRow
                    entry={entry}
                    list={list}
                    chosen={chosen.has(entry.id)}
                    onChoose={(wanted) => choose(entry.id, wanted)}
                    onRestore={() => void restore.run([entry])}
                  />
                )}
              </RowBoundary>
            ))}
          </ul>
        )}
        {entries.hasNextPage && (
          <div className="audit-more">
            <Button variant="default" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
              {t("away.older")}
            </Button>
          </div>
        )}
      </section>
    </div>
  );
}

type RowProps = {
  entry: RemovedEntry;
  list: RemovedList;
  chosen: boolean;
  onChoose(wanted: boolean): void;
  onRestore(): void;
};

function AwayRow({ entry, list, chosen, onChoose, onRestore }: RowProps) {
  const { account } = useCurrentAccount();
  const type = findType(getTypeName(entry));
  const name = getName(entry);
  const record = getRecord(entry);
  const path = type === undefined || record === null ? null : paths.record(account.id, type, record.id);
  const { href, onClick } = linkTo(path ?? "#");
  const by = entry.archived_by ?? entry.trashed_by ?? null;
  return (
    <li className="away-row">
      <Checkbox
        aria-label={t("away.choose", { name })}
        checked={chosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <span className="away-name">
        <Chip>{type === undefined ? getTypeName(entry) : typeLabel(type)}</Chip>{" "}
        {path === null ? (
          name
        ) : (
          <a href={href} onClick={onClick}>
            {name}
          </a>
        )}
      </span>
      <span className="quiet">
        {by === null ? "" : `${getReferenceName(by)} · `}
        <Timestamp at={entry.created_at} />
      </span>
      {list === "trash" && <Chip tone="yellow">{t("away.goneAt", { date: formatDate(getDeletionDate(entry)) })}</Chip>}
      <Button variant="default" size="xs" aria-label={t("away.restoreName", { name })} onClick={onRestore}>
        {t("away.restore")}
      </Button>
    </li>
  );
}

type Refusal = { name: string; reason: string };

/**
 * Restores the records one after another, because each is validated separately; refused ones are listed, the others are
 * restored.
 */
function useRestore(list: RemovedList) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | null>(null);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const run = async (entries: readonly RemovedEntry[]) => {
    const failures: Refusal[] = [];
    setProgress(0);
    for (const [at, entry] of entries.entries()) {
      const type = findType(getTypeName(entry));
      try {
        const record = getRecord(entry);
        if (type !== undefined && record !== null) await api.act(`/${type.collection}/${record.id}/restore`);
      } catch (error) {
        failures.push({ name: getName(entry), reason: errorText(error) });
      }
      setProgress((at + 1) / entries.length);
    }
    setProgress(null);
    setRefused(failures);
    const done = entries.length - failures.length;
    if (done > 0) showMessage(t("away.restored", { count: done }));
    await queries.invalidateQueries({ queryKey: archiveQueries.all(api, list) });
  };
  return { progress, refused, run };
}
