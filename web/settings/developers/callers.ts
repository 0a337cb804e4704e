import type { ApiCall, ApiCaller } from "../../api/request-log.ts";
import { t } from "../../languages/index.ts";

// The caller: an application, a personal access token, or a person in a browser.

type CallerNames = { application: { name: string } | null; person: { name: string } | null; is_session: boolean };

const nameCaller = ({ application, person, is_session }: CallerNames, token: string | null): string => {
  if (application !== null) return application.name;
  const name = person?.name ?? "";
  return is_session ? t("apiPages.browser", { name }) : (token ?? name);
};

export const describeCall = (call: ApiCall): string => nameCaller(call, call.token);
export const describeCaller = (caller: ApiCaller): string =>
  nameCaller(caller, caller.token?.name ?? t("apiPages.oldToken"));

/** The caller in the format of the address: "application.3", "token.9", "browser.7". */
export function writeCaller({ application, token, person }: ApiCaller): string {
  if (application !== null) return `application.${application.id}`;
  return token !== null ? `token.${token.id}` : `browser.${person?.id ?? 0}`;
}

/** The same as filters of the API. */
export function buildCallerFilter(caller: string | undefined): Record<string, string> {
  const [kind, id = ""] = (caller ?? "").split(".");
  if (!/^\d+$/.test(id)) return {};
  if (kind === "browser") return { person_id: id, browser: "true" };
  return kind === "application" || kind === "token" ? { [`${kind}_id`]: id } : {};
}
