import { Button, CloseButton, Select, Switch, Tabs, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { FieldError } from "../../api/call.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Chip } from "../../parts/chip.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { paths } from "../../paths.ts";
import type { ToneName } from "../../tokens.ts";
import type { ApiCall, ApiCallStatistics } from "../../wire.ts";
import { CodeBlock } from "../webhooks/delivery-panel.tsx";
import { CopyTextButton } from "./copy-button.tsx";
import { buildCurl, formatJson } from "./curl.ts";
import { HourBars } from "./hour-bars.tsx";
import "../../styles/settings/developers.css";

const pageSize = 100;
const hours = 168;
const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const statuses = ["error", "200", "201", "204", "400", "401", "403", "404", "409", "422", "429", "500"];
type Filter = { status?: string; method?: string; path?: string; request_id?: string; call?: string };

export const listApiTabs = (account: string) => [
  { key: "reference", label: t("apiPages.reference"), path: paths.apiReference(account) },
  { key: "log", label: t("apiPages.log"), path: paths.requestLog(account) },
];

/** The calls of the last seven days: the own ones, for administrators those of the account. */
export function RequestLogScreen() {
  const { account, api } = useCurrentAccount();
  const { call, ...filter } = useSearch({ strict: false }) as Filter;
  const navigate = useNavigate();
  const [live, setLive] = useState(true);
  const set = (members: Filter) => {
    const next = Object.entries({ ...filter, call, ...members }).filter(
      ([, value]) => value !== undefined && value !== "",
    );
    void navigate({ to: ".", search: Object.fromEntries(next) as never, replace: true });
  };
  const list = useInfiniteQuery({
    queryKey: [account.id, "request log", filter],
    queryFn: ({ pageParam }) =>
      api.get<ApiCall[]>("/request_log", { ...filter, ...(pageParam === "" ? {} : { before: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: (page) => (page.length < pageSize ? null : String(page.at(-1)?.id)),
    refetchInterval: live ? 2000 : false,
  });
  const { data, error } = list;
  const rows = data?.pages.flat() ?? [];
  const chosen = rows.find(({ id }) => String(id) === call);
  return (
    <div className="page">
      <PageBar title={t("apiPages.log")}>
        <PageTabs label={t("apiPages.title")} tabs={listApiTabs(account.id)} active="log" />
      </PageBar>
      <Figures />
      <div className="log-filters">
        <Select
          aria-label={t("apiPages.answer")}
          placeholder={t("apiPages.everyAnswer")}
          size="xs"
          clearable
          data={statuses.map((value) => ({ value, label: value === "error" ? t("apiPages.errors") : value }))}
          value={filter.status ?? null}
          onChange={(status) => set({ status: status ?? "" })}
        />
        <Select
          aria-label={t("apiPages.method")}
          placeholder={t("apiPages.everyMethod")}
          size="xs"
          clearable
          data={methods}
          value={filter.method ?? null}
          onChange={(method) => set({ method: method ?? "" })}
        />
        <TextInput
          aria-label={t("apiPages.path")}
          placeholder="/v1/requests"
          size="xs"
          defaultValue={filter.path ?? ""}
          onBlur={({ currentTarget }) => set({ path: currentTarget.value.trim() })}
          onKeyDown={(event) => event.key === "Enter" && set({ path: event.currentTarget.value.trim() })}
        />
        <TextInput
          key={filter.request_id ?? ""}
          aria-label={t("apiPages.requestId")}
          placeholder={t("apiPages.requestId")}
          size="xs"
          defaultValue={filter.request_id ?? ""}
          onBlur={({ currentTarget }) => set({ request_id: currentTarget.value.trim() })}
          onKeyDown={(event) => event.key === "Enter" && set({ request_id: event.currentTarget.value.trim() })}
        />
        <span className="log-live">
          <Switch
            size="xs"
            label={t("apiPages.live")}
            checked={live}
            onChange={({ currentTarget }) => setLive(currentTarget.checked)}
          />
        </span>
      </div>
      <div className="log-columns">
        <div className="log-list">
          {error !== null ? (
            <ErrorPanel error={error} retry={() => void list.refetch()} />
          ) : data === undefined ? (
            <SkeletonRows rows={10} />
          ) : rows.length === 0 ? (
            <EmptyState title={t("apiPages.noCalls")} lead={t("apiPages.noCallsLead")} />
          ) : (
            <CallTable rows={rows} chosen={chosen?.id} onChoose={(id) => set({ call: String(id) })} />
          )}
          {list.hasNextPage && (
            <Button variant="default" m="md" onClick={() => void list.fetchNextPage()}>
              {t("apiPages.older")}
            </Button>
          )}
        </div>
        {chosen !== undefined && <CallPanel key={chosen.id} call={chosen} onClose={() => set({ call: "" })} />}
      </div>
    </div>
  );
}

function Figures() {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "request log statistics"],
    queryFn: () => api.get<ApiCallStatistics>("/request_log_statistics", { hours: String(hours) }),
    refetchInterval: 30_000,
  });
  const rate = data === undefined || data.calls === 0 ? 0 : (data.errors / data.calls) * 100;
  return (
    <div className="log-figures">
      <div>
        <span>{data !== undefined && t("apiPages.calls", { calls: data.calls, callers: data.callers })}</span>
        {data !== undefined && data.median !== null && (
          <span>
            <b className={rate > 0 ? "bad" : undefined}>{t("apiPages.errorRate", { percent: rate.toFixed(1) })}</b>
            {" · "}
            {t("apiPages.durations", { median: data.median, p99: data.p99 ?? 0 })}
          </span>
        )}
      </div>
      <HourBars
        hours={hours}
        tone="blue"
        counts={data?.hours.map(({ hour, calls, errors }) => ({ hour, good: calls - errors, bad: errors })) ?? []}
      />
    </div>
  );
}

const pickTone = (status: number): ToneName =>
  status === 429 ? "yellow" : status >= 400 ? "red" : status >= 300 ? "grey" : "green";

const describeCaller = ({ application, token, person, is_session }: ApiCall): string => {
  const name = person?.name ?? "";
  if (application !== null) return application.name;
  return is_session ? t("apiPages.browser", { name }) : (token ?? name);
};

type TableProps = { rows: readonly ApiCall[]; chosen: number | undefined; onChoose(id: number): void };

const CallTable = ({ rows, chosen, onChoose }: TableProps) => (
  <table className="log-table">
    <caption className="spoken">{t("apiPages.log")}</caption>
    <thead>
      <tr>
        <th>{t("apiPages.time")}</th>
        <th>{t("apiPages.method")}</th>
        <th>{t("apiPages.path")}</th>
        <th>{t("apiPages.answer")}</th>
        <th>{t("webhookOverview.took")}</th>
        <th>{t("apiPages.caller")}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} aria-current={row.id === chosen ? "true" : undefined}>
          <td>
            <Timestamp at={row.called_at} />
          </td>
          <td className="log-method">{row.method}</td>
          <td>
            <button type="button" className="log-open" onClick={() => onChoose(row.id)}>
              {row.path}
            </button>
          </td>
          <td>
            <Chip tone={pickTone(row.status)}>{row.status}</Chip>
          </td>
          <td className="numbers">{t("webhooks.took", { milliseconds: row.milliseconds })}</td>
          <td>{describeCaller(row)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

function readFailure(answered: string | null): { message: string; errors: readonly FieldError[] } | null {
  try {
    const { message = "", errors = [] } = JSON.parse(answered ?? "null") as { message?: string; errors?: FieldError[] };
    return { message, errors };
  } catch {
    return null;
  }
}

function CallPanel({ call, onClose }: { call: ApiCall; onClose(): void }) {
  const failure = call.status >= 400 ? readFailure(call.answered) : null;
  const { origin } = location;
  const headers = {
    Authorization: "Bearer $TOKEN",
    ...(call.sent === null ? {} : { "Content-Type": "application/json" }),
  };
  return (
    <aside className="log-detail" aria-label={t("apiPages.call")}>
      <header>
        <span className="log-method">{call.method}</span> <code className="wrap">{call.path}</code>
        <span className="log-detail-actions">
          <Chip tone={pickTone(call.status)}>{call.status}</Chip>
          <CopyTextButton label="curl" text={buildCurl(call.method, origin + call.path, headers, call.sent)} />
          <CloseButton aria-label={t("app.close")} onClick={onClose} />
        </span>
      </header>
      {failure !== null && (
        <div className="log-failure">
          <b>{failure.message || call.status}</b>
          {failure.errors.map(([field, text]) => (
            <p key={`${field} ${text}`}>
              <code>{field}</code> {text}
            </p>
          ))}
        </div>
      )}
      <dl>
        <dt>{t("apiPages.requestId")}</dt>
        <dd>
          <code>{call.request_id}</code>
        </dd>
        <dt>{t("apiPages.caller")}</dt>
        <dd>
          {describeCaller(call)}
          {call.application !== null &&
            call.person !== null &&
            ` · ${t("apiPages.actsFor", { name: call.person.name })}`}
        </dd>
        <dt>{t("apiPages.address")}</dt>
        <dd>{call.address}</dd>
        <dt>{t("apiPages.time")}</dt>
        <dd>
          <Timestamp at={call.called_at} />
        </dd>
      </dl>
      {call.status >= 400 ? (
        <Tabs defaultValue="sent" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="sent">{t("apiPages.sent")}</Tabs.Tab>
            <Tabs.Tab value="answered">{t("apiPages.answered")}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sent">
            <CodeBlock label={t("apiPages.sent")} text={formatJson(call.sent)} />
          </Tabs.Panel>
          <Tabs.Panel value="answered">
            <CodeBlock label={t("apiPages.answered")} text={formatJson(call.answered)} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <p className="log-note">{t("apiPages.noBodies")}</p>
      )}
    </aside>
  );
}
