import { readJson } from "./call.ts";
import { loadBroadcasts } from "./live.ts";
import type {
  PortalApproval,
  PortalArticle,
  PortalArticleEntry,
  PortalExtensionForm,
  PortalForm,
  PortalFoundArticle,
  PortalFreeTimes,
  PortalHome,
  PortalOrderedLine,
  PortalPerson,
  PortalProgress,
  PortalRequest,
  PortalReservations,
} from "./portal-types.ts";
import { callSessionApi } from "./session.ts";

/** What the portal reads beside the records. */
export const portalApi = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}/portal`;
  const get = <T>(path: string) => readJson<T>(callSessionApi("GET", `${at}${path}`));
  return {
    home: () => get<PortalHome>(""),
    broadcasts: () => loadBroadcasts(account),
    form: (template: string) => get<PortalForm>(`/forms/${encodeURIComponent(template)}`),
    articles: () => get<readonly PortalArticleEntry[]>("/articles"),
    findArticles: (text: string) =>
      get<readonly PortalFoundArticle[]>(`/articles/search?text=${encodeURIComponent(text)}`),
    article: (id: string, locale: string | null) =>
      get<PortalArticle>(
        `/articles/${encodeURIComponent(id)}${locale === null ? "" : `?locale=${encodeURIComponent(locale)}`}`,
      ),
    countView: (id: string) => callSessionApi("POST", `${at}/articles/${encodeURIComponent(id)}/views`, {}),
    shopForm: (article: number) => get<PortalExtensionForm>(`/shop_articles/${article}/form`),
    requests: (show: string) =>
      get<{ items: readonly PortalRequest[]; total: number; is_total_old: boolean }>(
        `/requests?show=${encodeURIComponent(show)}`,
      ),
    progress: (id: string) => get<PortalProgress>(`/requests/${encodeURIComponent(id)}`),
    addWatcher: (id: number, email: string) =>
      readJson<{ id: number; person: PortalPerson }>(
        callSessionApi("POST", `${at}/requests/${id}/watchers`, { email }),
      ),
    removeWatcher: (id: number, watch: number) => callSessionApi("DELETE", `${at}/requests/${id}/watchers/${watch}`),
    approvals: () => get<{ open: readonly PortalApproval[]; decided: readonly PortalApproval[] }>("/approvals"),
    approval: (task: string) => get<PortalApproval>(`/approvals/${encodeURIComponent(task)}`),
    order: (reason: string) => readJson<{ order: number }>(callSessionApi("POST", `${at}/orders`, { reason })),
    removeFromCart: (line: number) => callSessionApi("DELETE", `${at}/cart/${line}`),
    reservations: () => get<PortalReservations>("/reservations"),
    freeTimes: (offering: number, date: string) =>
      get<PortalFreeTimes>(`/reservation_offerings/${offering}/free?date=${encodeURIComponent(date)}`),
    reserve: (wanted: unknown) =>
      readJson<{ id: number; status: string; count: number; request: number | null }>(
        callSessionApi("POST", `${at}/reservations`, wanted),
      ),
    cancelReservation: (id: number) => callSessionApi("DELETE", `${at}/reservations/${id}`),
  };
};

/** What was ordered with a request, as far as the reader may know it. */
export const loadOrderLines = (account: string, request: number): Promise<readonly PortalOrderedLine[]> =>
  readJson(callSessionApi("GET", `/accounts/${encodeURIComponent(account)}/requests/${request}/order_lines`));
