import { Button } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { auditLine } from "../../../records/journal/audit-line.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { formatExact } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import { findType, isNumbered } from "../../base/record-types.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { isMessage, t } from "../../languages/index.ts";
import { fieldLabel, typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { formatSecond } from "../../parts/precise-moments.ts";
import { pickActor } from "../../parts/records/audit-actor.ts";
import { ChangedValue } from "../../parts/records/audit-trail.tsx";
import { describeOrigin } from "../../parts/records/change-origin.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { collectMentioned, type RecordNames, useRecordNames } from "../../queries/record-names.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { type AuditLine, journalQueries } from "../../queries/settings/audit.ts";
import { AuditFilters, buildAuditQuery, useAuditAddress } from "./audit-filters.tsx";
import { listChanges } from "./audit-line.ts";
import { AuditTabs } from "./audit-tabs.tsx";
import { exportAudit } from "./export-audit.ts";
import { getJournalRecord, getJournalRecordName } from "./journal-record.ts";
import "../../styles/settings/audit.css";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { toCount } from "../../queries/total.ts";

// Every change in the account: author, record, old and new values, origin.

const fields = "action,audited,record,created_by,user,changes,origin,created_at";

export function AuditScreen() {
  const { api, may } = useCurrentAccount();
  const query = buildAuditQuery(useAuditAddress()[0]);
  const [exporting, setExporting] = useState(false);
  const mayRead = may("read", auditLine);
  const lines = useInfiniteQuery({ ...journalQueries.lines(api, { ...query, fields }), enabled: mayRead });
  const save: Action = {
    ...{ id: "audit.export", name: t("audit.export"), keys: "shift+e", icon: IconDownload, when: mayRead },
    group: "list",
    async run() {
      setExporting(true);
      try {
        const { count, isComplete } = await exportAudit(api, { ...query, fields });
        showMessage(t(isComplete ? "audit.exported" : "audit.exportedPart", { count }));
      } catch (error) {
        showError(error);
      } finally {
        setExporting(false);
      }
    },
  };
  useActions([save]);
  if (!mayRead) return <Forbidden type={auditLine} />;
  const first = lines.data?.pages[0];
  return (
    <div className="page">
      <PageBar title={t("settings.audit")} actions={<ActionButton action={save} loading={exporting} />}>
        <AuditTabs active="changes" />
      </PageBar>
      <div className="audit-bar">
        <AuditFilters />
        {first !== undefined && (
          <span className="quiet numbers" role="status">
            {first.total >= 100_000
              ? t("audit.countMost", { count: first.total })
              : t("audit.count", { count: toCount(first) })}
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard */}
      <section className="page-body audit-body" tabIndex={0} aria-label={t("settings.audit")}>
        {lines.error !== null ? (
          <ErrorPanel error={lines.error} retry={() => void lines.refetch()} />
        ) : lines.data === undefined ? (
          <SkeletonRows rows={10} />
        ) : (
          <Lines lines={lines.data.pages.flatMap(({ rows }) => rows)} />
        )}
        {lines.hasNextPage && (
          <div className="audit-more">
            <Button variant="default" loading={lines.isFetchingNextPage} onClick={() => void lines.fetchNextPage()}>
              {t("audit.older")}
            </Button>
          </div>
        )}
      </section>
    </div>
  );
}

function Lines({ lines }: { lines: readonly AuditLine[] }) {
  const changed = lines.flatMap(({ audited, changes }) => {
    const type = findType(audited);
    if (type === undefined) return [];
    return Object.entries(changes ?? {}).map(([name, values]) => [type, name, values] as const);
  });
  const names = useRecordNames(collectMentioned(changed));
  if (lines.length === 0) return <EmptyState title={t("audit.none")} lead={t("audit.noneLead")} />;
  return (
    <ul className="audit-lines" aria-label={t("audit.changes")}>
      {lines.map((line) => (
        <RowBoundary key={line.id} row={line}>
          {() => <Line line={line} names={names} />}
        </RowBoundary>
      ))}
    </ul>
  );
}

/** Long lists of values are collapsed; for a new record, where nearly all values are new, to the first ones. */
const countShown = ({ action }: AuditLine): number => (action === "create" ? 3 : 6);

function Line({ line, names }: { line: AuditLine; names: RecordNames }) {
  const { account } = useCurrentAccount();
  const [open, setOpen] = useState(false);
  const type = findType(line.audited);
  const actor = pickActor(line);
  const changes = listChanges(line, type).filter(([name]) => name !== actor.shownField);
  const shown = open ? changes : changes.slice(0, countShown(line));
  const done = `audit.did.${line.action}`;
  const action = isMessage(done) ? done : `audit.${line.action}`;
  const record = getJournalRecord(line, line.audited);
  const recordName = getJournalRecordName(record, type);
  const label = type !== undefined && isNumbered(type) && record?.subject ? `${record.id} ${recordName}` : recordName;
  const path = type === undefined || record === null ? null : paths.record(account.id, type, record.id);
  return (
    <li className="audit-line">
      {actor.icon === null ? (
        <Avatar person={actor.person} size={24} silent />
      ) : (
        <span className="audit-nobody">
          <Icon of={actor.icon} />
        </span>
      )}
      <div className="audit-what">
        <p>
          <strong>{actor.name}</strong> <span className="quiet">{isMessage(action) ? t(action) : line.action}</span>{" "}
          <Chip>{type === undefined ? line.audited : typeLabel(type)}</Chip>{" "}
          {path === null ? label : <AuditLink path={path}>{label}</AuditLink>}
        </p>
        {shown.length > 0 && (
          <dl className="audit-changes">
            {shown.map(([name, [before, after]]) => (
              <div key={name}>
                <dt>{fieldLabel(name.replace(/_id$/, ""))}</dt>
                <dd>
                  <Value tone="red" type={type} name={name} value={before} id={line.id} names={names} />
                  <span aria-hidden="true">→</span>
                  <span className="spoken">{t("audit.to")}</span>
                  <Value tone="green" type={type} name={name} value={after} id={line.id} names={names} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {changes.length > shown.length && (
          <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
            {t("audit.more", { count: changes.length - shown.length })}
          </Button>
        )}
      </div>
      <div className="audit-when">
        <ExactTime at={line.created_at} />
        <OriginOf line={line} isNamed={actor.icon !== null} />
        {actor.icon !== null && line.created_by !== null && (
          <span>{t("audit.as", { name: getReferenceName(line.created_by) })}</span>
        )}
        {line.user !== null && line.user.id !== line.created_by?.id && (
          <span>{t("audit.as", { name: getReferenceName(line.user) })}</span>
        )}
      </div>
    </li>
  );
}

/** `isNamed`: the line begins with the name of the rule or program. Changes by the system need no further label. */
function OriginOf({ line: { origin, created_by }, isNamed }: { line: AuditLine; isNamed: boolean }) {
  if (origin === null || origin.kind === "rule" || (origin.kind === "system" && created_by === null)) return null;
  return <span {...tip(origin.address)}>{describeOrigin(origin, { hidesName: isNamed })}</span>;
}

/** To the second, as in a log, because the order of events matters. */
function ExactTime({ at }: { at: string }) {
  const now = useNow();
  const moment = Date.parse(at);
  return (
    <time dateTime={at} className="numbers" {...tip(formatExact(moment))}>
      {formatSecond(moment, now)}
    </time>
  );
}

function AuditLink({ path, children }: { path: string; children: string }) {
  const { href, onClick } = linkTo(path);
  return (
    <a href={href} onClick={onClick}>
      {children}
    </a>
  );
}

type ValueProps = {
  tone: "red" | "green";
  type: RecordType | undefined;
  name: string;
  value: unknown;
  id: number;
  names: RecordNames;
};

function Value({ tone, type, name, value, id, names }: ValueProps) {
  const isBlank = value === null || value === undefined || value === "";
  return (
    <span className="audit-value" data-tone={tone}>
      {isBlank ? (
        "—"
      ) : type === undefined ? (
        String(value)
      ) : (
        <ChangedValue type={type} name={name} value={value} id={id} names={names} />
      )}
    </span>
  );
}
