import { Button, Tabs } from "@mantine/core";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import type { FieldError } from "../../api/call.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { ApiCall } from "../../api/request-log.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import type { ToneName } from "../../base/tokens.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { Timestamp } from "../../parts/timestamp.tsx";
import { holdCall } from "./call-to-try.ts";
import { describeCall } from "./callers.ts";
import { CodeBlock } from "./code-block.tsx";
import { CopyTextButton } from "./copy-button.tsx";
import { buildCurl, formatJson } from "./curl.ts";
import { LogDetail } from "./log-frame.tsx";

export const pickAnswerTone = (status: number): ToneName =>
  status === 429 ? "yellow" : status >= 400 ? "red" : status >= 300 ? "grey" : "green";

function readFailure(answered: string | null): { message: string; errors: readonly FieldError[] } | null {
  try {
    const refusal: { message?: string; errors?: FieldError[] } = JSON.parse(answered ?? "null");
    const { message = "", errors = [] } = refusal;
    return { message, errors };
  } catch {
    return null;
  }
}

/** "request:Create, request:Update": a token's permissions in the short notation of scopes. */
const describeScopes = (scopes: ApiCall["scopes"]): string =>
  (scopes ?? []).flatMap(({ effect, actions }) => (effect === "allow" ? actions : [])).join(", ");

const stripPath = (path: string): string => path.replace(/^\/v1/, "").replace(/\?.*$/, "");

/** One call beside the list: the error, the caller, the request and the response. */
export function CallPanel({ call, onClose }: { call: ApiCall; onClose(): void }) {
  const { account } = useCurrentAccount();
  const failure = call.status >= 400 ? readFailure(call.answered) : null;
  const headers = {
    Authorization: "Bearer $TOKEN",
    ...(call.sent === null ? {} : { "Content-Type": "application/json" }),
  };
  const tryAgain = `${settingsPaths.apiReference(account.id)}?${new URLSearchParams({ method: call.method, path: call.path })}`;
  const scopes = describeScopes(call.scopes);
  return (
    <LogDetail
      label={t("apiPages.call")}
      head={
        <>
          <span className="log-method" data-method={call.method}>
            {call.method}
          </span>{" "}
          <code className="wrap">{call.path}</code>
        </>
      }
      actions={
        <>
          <Chip tone={pickAnswerTone(call.status)}>{call.status}</Chip>
          <CopyTextButton label="curl" text={buildCurl(call.method, location.origin + call.path, headers, call.sent)} />
        </>
      }
      onClose={onClose}
      foot={
        <>
          <Link to={tryAgain}>{t("apiPages.needs", { call: `${call.method} ${stripPath(call.path)}` })}</Link>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon of={IconPlayerPlay} size={14} />}
            onClick={() => {
              holdCall({ method: call.method, path: call.path, body: call.sent });
              navigateTo(tryAgain);
            }}
          >
            {t("apiPages.again")}
          </Button>
        </>
      }
    >
      {failure !== null && (
        <div className="log-failure">
          <b>{failure.message || call.status}</b>
          {failure.errors.length > 0 && (
            <dl>
              {failure.errors.map(([field, text]) => (
                <div key={`${field} ${text}`} className="log-problem">
                  <dt>
                    <code>{field}</code>
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      )}
      <dl className="log-facts">
        <dt>{t("apiPages.requestId")}</dt>
        <dd>
          <code>{call.request_id}</code>
        </dd>
        <dt>{t("apiPages.caller")}</dt>
        <dd>
          {describeCall(call)}{" "}
          {call.application !== null && call.person !== null && (
            <span className="quiet">{t("apiPages.actsFor", { name: call.person.name })}</span>
          )}
        </dd>
        {scopes !== "" && (
          <>
            <dt>{t("apiPages.scopes")}</dt>
            <dd className="log-scopes" title={scopes}>
              {scopes}
            </dd>
          </>
        )}
        <dt>{t("apiPages.address")}</dt>
        <dd>{call.address}</dd>
        <dt>{t("apiPages.time")}</dt>
        <dd>
          <Timestamp at={call.called_at} />
        </dd>
        <CalledRecord path={call.path} />
      </dl>
      {call.status >= 400 ? (
        <Tabs defaultValue="sent" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="sent">{t("apiPages.sent")}</Tabs.Tab>
            <Tabs.Tab value="answered">{t("apiPages.answered")}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sent">
            <CodeBlock label={t("apiPages.sent")} text={formatJson(call.sent) || t("apiPages.noBody")} />
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

/** The record in the path, as a link to its page. */
function CalledRecord({ path }: { path: string }) {
  const { account } = useCurrentAccount();
  const [, collection = "", id = ""] = stripPath(path).split("/");
  const type = findEntryByCollection(collection);
  if (type === undefined || !/^\d{1,10}$/.test(id)) return null;
  return (
    <>
      <dt>{t("webhooks.record")}</dt>
      <dd>
        <Link to={paths.record(account.id, type, Number(id))}>{id}</Link>
      </dd>
    </>
  );
}
