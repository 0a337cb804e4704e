import { Button } from "@mantine/core";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { ApiCall, ApiCallStatistics } from "../../api/request-log.ts";
import { formatNumber } from "../../base/formats.ts";
import { formatExact } from "../../base/moments.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { type ChipFilter, ChipFilters, TextFilterForm } from "../../parts/lists/chip-filters.tsx";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { useNow } from "../../parts/now.ts";
import { formatSecond } from "../../parts/precise-moments.ts";
import { callsOnPage, developerQueries } from "../../queries/settings/developers.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { listApiTabs } from "./api-tabs.ts";
import { CallPanel, pickAnswerTone } from "./call-panel.tsx";
import { buildCallerFilter, describeCall, describeCaller, writeCaller } from "./callers.ts";
import { exportCalls } from "./export-calls.ts";
import { LimitsScreen } from "./limits.tsx";
import { LogFigures, LogFrame } from "./log-frame.tsx";

const ranges = ["24", "72", "168"] as const;
type Range = (typeof ranges)[number];
const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const statuses = ["error", "200", "201", "204", "400", "401", "403", "404", "409", "422", "429", "500"];
const filterNames = ["status", "method", "path", "request_id", "caller", "hours", "call"] as const;
type Filter = { [N in (typeof filterNames)[number]]?: string };

/** The log and, on another tab of the same address, the limits. */
export function RequestLogScreen() {
  const [{ tab }] = useAddressSearch("tab");
  return tab === "limits" ? <LimitsScreen /> : <LogScreen />;
}

/** The calls of the last seven days: the person's own, for administrators those of the account. */
function LogScreen() {
  const { account, api } = useCurrentAccount();
  const [{ call, caller, hours, ...rest }, set] = useAddressSearch(...filterNames);
  const [live, setLive] = useState(true);
  const [exporting, setExporting] = useState(false);
  const range: Range = ranges.find((each) => each === hours) ?? "168";
  const filter = { ...rest, ...buildCallerFilter(caller), ...(range === "168" ? {} : { hours: range }) };
  const { data: figures } = useQuery(developerQueries.callStatistics(api, range));
  const list = useInfiniteQuery({
    ...developerQueries.calls(api, filter),
    refetchInterval: live ? 2000 : false,
  });
  const save: Action = {
    ...{ id: "log.export", group: "list", name: t("audit.export"), keys: "shift+e", icon: IconDownload },
    async run() {
      setExporting(true);
      try {
        const { count, isComplete } = await exportCalls(api, filter, callsOnPage);
        showMessage(t(isComplete ? "apiPages.exported" : "apiPages.exportedPart", { count }));
      } catch (error) {
        showError(error);
      } finally {
        setExporting(false);
      }
    },
  };
  useActions([save]);
  return (
    <LogFrame
      title={t("apiPages.title")}
      tabs={{ label: t("apiPages.title"), tabs: listApiTabs(account.id), active: "log" }}
      actions={
        <>
          <RangeButton range={range} onChange={(wanted) => set({ hours: wanted === "168" ? "" : wanted })} />
          <ActionButton action={save} compact loading={exporting} />
        </>
      }
      figures={<Figures figures={figures} hours={Number(range)} />}
      filters={
        <>
          <ChipFilters
            id="log.filter"
            filters={buildFilters({ ...rest, caller }, figures)}
            onChange={(key, value) => set({ [key]: value })}
          />
          <button type="button" className="log-live" aria-pressed={live} onClick={() => setLive((was) => !was)}>
            <span className="log-live-dot" aria-hidden="true" />
            {t("apiPages.live")}
          </button>
        </>
      }
      list={list}
      empty={{ title: t("apiPages.noCalls"), lead: t("apiPages.noCallsLead") }}
      older={t("apiPages.older")}
      chosen={call}
      table={(rows, chosen) => <CallTable rows={rows} chosen={chosen} onChoose={(id) => set({ call: String(id) })} />}
      detail={(entry) => <CallPanel key={entry.id} call={entry} onClose={() => set({ call: "" })} />}
    />
  );
}

function RangeButton({ range, onChange }: { range: Range; onChange(range: Range): void }) {
  return (
    <MenuButton
      position="bottom-end"
      entries={ranges.map((each) => ({
        ...{ is: "item", key: each, label: t(`apiPages.range.${each}`), chosen: each === range },
        run: () => onChange(each),
      }))}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          size="sm"
          leftSection={<Icon of={IconCalendar} size={14} />}
          rightSection={<Icon of={IconChevronDown} size={14} />}
        >
          {t(`apiPages.range.${range}`)}
        </Button>
      )}
    </MenuButton>
  );
}

function buildFilters(filter: Filter, figures: ApiCallStatistics | undefined): ChipFilter[] {
  const callers = (figures?.by_caller ?? []).map((each) => ({
    value: writeCaller(each),
    label: `${describeCaller(each)} · ${formatNumber(each.calls)}`,
    name: describeCaller(each),
  }));
  const { status, caller, method, path, request_id } = filter;
  const form = (key: "path" | "request_id", label: string, placeholder: string) => ({
    ...{ key, label, chosen: filter[key] ?? null },
    form: (apply: (value: string) => void) => (
      <TextFilterForm label={label} value={filter[key] ?? ""} placeholder={placeholder} onApply={apply} />
    ),
  });
  return [
    {
      ...{ key: "status", label: t("apiPages.answer"), otherwise: t("apiPages.all") },
      chosen: status === undefined ? null : status === "error" ? t("apiPages.errors") : status,
      choices: statuses.map((value) => ({ value, label: value === "error" ? t("apiPages.errors") : value })),
    },
    {
      ...{ key: "caller", label: t("apiPages.caller"), otherwise: t("apiPages.everybody"), choices: callers },
      chosen: caller === undefined ? null : (callers.find(({ value }) => value === caller)?.name ?? caller),
    },
    {
      ...{ key: "method", label: t("apiPages.method"), chosen: method ?? null },
      choices: methods.map((value) => ({ value, label: value })),
    },
    form("path", t("apiPages.path"), path ?? "/v1/requests"),
    form("request_id", t("apiPages.requestId"), request_id ?? ""),
  ];
}

function Figures({ figures, hours }: { figures: ApiCallStatistics | undefined; hours: number }) {
  const rate = figures === undefined || figures.calls === 0 ? 0 : (figures.errors / figures.calls) * 100;
  return (
    <LogFigures
      lead={
        figures !== undefined && (
          <>
            <strong>{t("apiPages.callCount", { count: figures.calls })}</strong>{" "}
            {t("apiPages.byCallers", { count: figures.callers })}
          </>
        )
      }
      hours={hours}
      tone="blue"
      counts={figures?.hours.map(({ hour, calls, errors }) => ({ hour, good: calls - errors, bad: errors })) ?? []}
    >
      {figures !== undefined && figures.median !== null && (
        <span>
          <b className={rate > 0 ? "bad" : undefined}>
            {t("apiPages.errorRate", { percent: Math.round(rate * 10) / 10 })}
          </b>
          {" · "}
          {t("apiPages.durations", { median: figures.median, p99: figures.p99 ?? 0 })}
        </span>
      )}
    </LogFigures>
  );
}

type TableProps = { rows: readonly ApiCall[]; chosen: number | undefined; onChoose(id: number): void };

function CallTable({ rows, chosen, onChoose }: TableProps) {
  const now = useNow();
  return (
    <table className="log-table">
      <caption className="spoken">{t("apiPages.log")}</caption>
      <thead>
        <tr>
          <th>{t("apiPages.time")}</th>
          <th>
            <span className="spoken">{t("apiPages.method")}</span>
          </th>
          <th>{t("apiPages.path")}</th>
          <th>{t("apiPages.answer")}</th>
          <th className="log-wide">{t("webhookOverview.took")}</th>
          <th className="log-wide">{t("apiPages.caller")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.id}
            className="log-row"
            aria-current={row.id === chosen ? "true" : undefined}
            onClick={() => onChoose(row.id)}
          >
            <td className="numbers quiet">
              <time dateTime={row.called_at} {...tip(formatExact(Date.parse(row.called_at)))}>
                {formatSecond(Date.parse(row.called_at), now)}
              </time>
            </td>
            <td className="log-method" data-method={row.method}>
              {row.method}
            </td>
            <td className="log-path">
              <button type="button" className="log-open">
                {row.path}
              </button>
            </td>
            <td>
              <Chip tone={pickAnswerTone(row.status)}>{row.status}</Chip>
            </td>
            <td className="numbers quiet log-wide">{t("webhooks.took", { milliseconds: row.milliseconds })}</td>
            <td className="log-caller log-wide">{describeCall(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
