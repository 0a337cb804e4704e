import { Select, Switch, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FieldError } from "../../api/call.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Chip } from "../../parts/chip.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { paths } from "../../paths.ts";
import type { ToneName } from "../../tokens.ts";
import type { ApiCall, ApiCallStatistics } from "../../wire.ts";
import { settingsPaths } from "../settings-paths.ts";
import { CodeBlock } from "../webhooks/delivery-panel.tsx";
import { CopyTextButton } from "./copy-button.tsx";
import { buildCurl, formatJson } from "./curl.ts";
import { LogDetail, LogFigures, LogFrame, LogText, useLogFilter, useLogList } from "./log-frame.tsx";

const pageSize = 100;
const hours = 168;
const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const statuses = ["error", "200", "201", "204", "400", "401", "403", "404", "409", "422", "429", "500"];
type Filter = { status?: string; method?: string; path?: string; request_id?: string; call?: string };

export const listApiTabs = (account: string) => [
  { key: "reference", label: t("apiPages.reference"), path: settingsPaths.apiReference(account) },
  { key: "log", label: t("apiPages.log"), path: paths.requestLog(account) },
];

/** The calls of the last seven days: the own ones, for administrators those of the account. */
export function RequestLogScreen() {
  const { account } = useCurrentAccount();
  const [{ call, ...filter }, set] = useLogFilter<Filter>();
  const [live, setLive] = useState(true);
  const list = useLogList<ApiCall>({
    ...{ path: "/request_log", key: ["request log"], filter, pageSize },
    everyMilliseconds: live ? 2000 : false,
  });
  return (
    <LogFrame
      title={t("apiPages.log")}
      tabs={{ label: t("apiPages.title"), tabs: listApiTabs(account.id), active: "log" }}
      figures={<Figures />}
      filters={
        <>
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
          <LogText
            label={t("apiPages.path")}
            placeholder="/v1/requests"
            value={filter.path}
            onChange={(path) => set({ path })}
          />
          <LogText
            label={t("apiPages.requestId")}
            placeholder={t("apiPages.requestId")}
            value={filter.request_id}
            onChange={(request_id) => set({ request_id })}
          />
          <span className="log-live">
            <Switch
              size="xs"
              label={t("apiPages.live")}
              checked={live}
              onChange={({ currentTarget }) => setLive(currentTarget.checked)}
            />
          </span>
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

function Figures() {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "request log statistics"],
    queryFn: () => api.get<ApiCallStatistics>("/request_log_statistics", { hours: String(hours) }),
    refetchInterval: 30_000,
  });
  const rate = data === undefined || data.calls === 0 ? 0 : (data.errors / data.calls) * 100;
  return (
    <LogFigures
      lead={data !== undefined && t("apiPages.calls", { calls: data.calls, callers: data.callers })}
      hours={hours}
      tone="blue"
      counts={data?.hours.map(({ hour, calls, errors }) => ({ hour, good: calls - errors, bad: errors })) ?? []}
    >
      {data !== undefined && data.median !== null && (
        <span>
          <b className={rate > 0 ? "bad" : undefined}>{t("apiPages.errorRate", { percent: rate.toFixed(1) })}</b>
          {" · "}
          {t("apiPages.durations", { median: data.median, p99: data.p99 ?? 0 })}
        </span>
      )}
    </LogFigures>
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
    <LogDetail
      label={t("apiPages.call")}
      head={
        <>
          <span className="log-method">{call.method}</span> <code className="wrap">{call.path}</code>
        </>
      }
      actions={
        <>
          <Chip tone={pickTone(call.status)}>{call.status}</Chip>
          <CopyTextButton label="curl" text={buildCurl(call.method, origin + call.path, headers, call.sent)} />
        </>
      }
      onClose={onClose}
    >
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
    </LogDetail>
  );
}
