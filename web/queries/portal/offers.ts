import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

// Orders and reservations in the portal.

// biome-ignore format: one line per subject
const articleFields = [
  "name", "localized_name", "localized_short_description", "category", "picture_uri", "max_quantity", "ui_extension",
  "price", "price_currency", "recurring_price", "recurring_price_currency", "recurring_period",
] as const;
const mostPages = 5; // of a hundred rows each

async function loadArticles(api: Api) {
  const query = { at: "/shop_articles/on_offer", fields: articleFields, per_page: "100" };
  let page = await api.list("shop_article", query);
  const articles = [...page.rows];
  for (let count = 1; page.next !== null && count < mostPages; count++) {
    page = await api.list("shop_article", { ...query, search_after: page.next });
    articles.push(...page.rows);
  }
  return articles.map((article) => ({
    ...article,
    name: article.name ?? "",
    localized_name: article.localized_name ?? "",
  }));
}
export type ShopArticle = Awaited<ReturnType<typeof loadArticles>>[number];

// biome-ignore format: one line per subject
const lineFields = [
  "name", "status", "quantity",
  "price", "price_currency", "recurring_price", "recurring_price_currency", "recurring_period",
] as const;
const loadLines = async (api: Api) => {
  const query = { at: "/shop_order_lines/personal", fields: lineFields, sort: "-id", per_page: "100" };
  const { rows } = await api.list("shop_order_line", query);
  return rows.map((line) => ({ ...line, name: line.name ?? "", quantity: line.quantity ?? 0 }));
};
export type OrderLine = Awaited<ReturnType<typeof loadLines>>[number];

export const portalShopQueries = {
  articles: (api: Api) =>
    queryOptions({ queryKey: [api.account, "shop"], queryFn: () => loadArticles(api), staleTime: 60_000 }),
  /** The form to fill in before the article is put into the cart. */
  form: (api: Api, article: number) =>
    queryOptions({
      queryKey: [api.account, "shop form", article],
      queryFn: () => api.call("GET /portal/shop_articles/:id/form", { id: article }),
      staleTime: 300_000,
    }),
  /** The cart and earlier orders, the newest first. */
  lines: (api: Api) => queryOptions({ queryKey: [api.account, "order lines"], queryFn: () => loadLines(api) }),
};

export const portalReservationQueries = {
  offers: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "reservations"],
      queryFn: () => api.call("GET /portal/reservations", {}),
    }),
  /** Prefix of the free times of all offers. */
  allFree: (api: Api) => [api.account, "free"] as const,
  free: (api: Api, offer: number | undefined, date: string) =>
    queryOptions({
      queryKey: [...portalReservationQueries.allFree(api), offer, date],
      queryFn: () => api.call("GET /portal/reservation_offerings/:id/free", { id: offer ?? 0, date }),
    }),
};
