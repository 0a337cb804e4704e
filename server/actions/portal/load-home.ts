import type { PortalBroadcast, PortalHome } from "../../../records/answers/portal.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { isShownToMe } from "../../rules/communication/broadcast.ts";
import { loadOpenApprovals } from "./approvals.ts";
import { localizeArticles } from "./articles.ts";
import { listRecords } from "./list-records.ts";
import { listOwnRequests } from "./own-requests.ts";
import { countReservationOffers } from "./reservations.ts";

// The first page of the portal in one response: a phone on a slow network makes one call instead of six (D-302).
// Everything is read with the rights of the caller.

const shownRequests = 3;
const shownArticles = 3;

export async function loadPortalHome(engine: Engine, by: Caller): Promise<PortalHome> {
  const [broadcasts, questions, open, solved, approvals, templates, services, articles, shop, reservations] =
    await Promise.all([
      loadBroadcasts(engine, by),
      listOwnRequests(engine, by, "open", { perPage: shownRequests, status: "waiting_for_customer" }),
      listOwnRequests(engine, by, "open", { perPage: shownRequests }),
      listOwnRequests(engine, by, "solved", { perPage: 1 }),
      loadOpenApprovals(engine, by),
      listRecords<PortalHome["templates"][number]>(engine, by, "request_template", {
        fields: ["localized_subject", "subject", "category", "action_type", "service"],
        views: ["enabled"],
        sort: "-times_applied",
        perPage: 100,
      }),
      listRecords<PortalHome["services"][number]>(engine, by, "service", {
        fields: ["localized_name", "name"],
        views: ["enabled"],
        perPage: 100,
      }),
      loadOftenRead(engine, by),
      listRecords(engine, by, "shop_article", { fields: ["id"], views: ["on_offer"], perPage: 1 }),
      countReservationOffers(engine, by),
    ]);
  const asked = new Set(questions.items.map(({ id }) => id));
  return {
    broadcasts,
    requests: {
      open: [...questions.items, ...open.items.filter(({ id }) => !asked.has(id))].slice(0, shownRequests),
      open_total: open.total,
      total: open.total + solved.total,
      is_total_old: open.is_total_old || solved.is_total_old,
    },
    approvals: { items: approvals.slice(0, shownRequests), total: approvals.length },
    templates: templates.records,
    services: services.records,
    articles,
    offers: { shop: shop.total, reservations },
  };
}

/** BC1: the most severe first; each in the language of the reader where it has that translation. */
const severities = ["outage", "warning", "available", "info"];

type Translation = { broadcast_id: number; message: string };
const selectTranslations = jsonStatement<Translation>(
  `SELECT broadcast_id, message FROM broadcast_translations WHERE account_id = $1 AND broadcast_id = ANY($2::integer[]) AND locale = ANY($3::text[])
ORDER BY length(locale)`,
);

export async function loadBroadcasts(engine: Engine, by: Caller): Promise<PortalBroadcast[]> {
  const { records } = await listRecords<PortalBroadcast>(engine, by, "broadcast", {
    fields: ["message", "message_type", "request", "start_at", "end_at", "updated_at"],
    views: ["active"],
    perPage: 20,
    // Specialists may read every broadcast; what is shown to them is their own.
    scope: { clause: isShownToMe(by), rights: "own" },
  });
  if (records.length === 0) return [];
  const locales = [...new Set([by.language, by.language.split("-")[0] ?? by.language])];
  const translations = await queryRows(engine.database, selectTranslations, [
    by.account,
    records.map(({ id }) => id),
    locales,
  ]);
  const texts = new Map(translations.map(({ broadcast_id, message }) => [broadcast_id, message]));
  return records
    .map((record) => ({ ...record, message: texts.get(record.id) ?? record.message }))
    .sort((one, other) => rank(one) - rank(other));
}
const rank = ({ message_type }: PortalBroadcast): number => {
  const at = severities.indexOf(message_type);
  return at < 0 ? severities.length : at;
};

type ReadArticle = { id: number; subject: string; times_applied: number; times_viewed: number };

/** The articles that colleagues read and used most among the newest hundred that the caller may read. */
async function loadOftenRead(engine: Engine, by: Caller): Promise<PortalHome["articles"]> {
  const { records } = await listRecords<ReadArticle>(engine, by, "knowledge_article", {
    fields: ["subject", "times_applied", "times_viewed"],
    views: ["active"],
    perPage: 100,
  });
  const use = ({ times_applied, times_viewed }: ReadArticle) => 10 * times_applied + times_viewed;
  const first = records.sort((one, other) => use(other) - use(one)).slice(0, shownArticles);
  return localizeArticles(
    engine,
    by,
    first.map(({ id, subject }) => ({ id, subject })),
  );
}
