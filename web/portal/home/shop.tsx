import { useQuery } from "@tanstack/react-query";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { currentLocale } from "../../languages/index.ts";
import { useAddresses } from "../addresses.ts";
import { useTitle } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { Link } from "../router.tsx";
import { t, type Word } from "../words.ts";

type Article = Row & {
  localized_name: string;
  localized_short_description: string | null;
  price: string | null;
  price_currency: string | null;
  recurring_price: string | null;
  recurring_price_currency: string | null;
  recurring_period: string | null;
  picture_uri: string | null;
  fulfillment_template: { id: number } | null;
};
type OrderLine = Row & { name: string; status: string; quantity: string; ordered_at: string | null };

const formatMoney = (amount: string, currency: string | null): string =>
  new Intl.NumberFormat(currentLocale(), {
    style: "currency",
    currency: currency ?? "EUR",
    minimumFractionDigits: Number.isInteger(Number(amount)) ? 0 : 2,
  }).format(Number(amount));

/** What the account offers, with its price, and what was ordered. */
export function ShopPage() {
  const { account, api } = useCurrentAccount();
  const at = useAddresses();
  useTitle(t("nav.shop"));
  const articles = useQuery({
    queryKey: [account.id, "shop"],
    queryFn: async () => {
      const fields = [
        ...["localized_name", "localized_short_description", "price", "price_currency", "recurring_price"],
        ...["recurring_price_currency", "recurring_period", "picture_uri", "fulfillment_template"],
      ].join();
      return (await api.list("/shop_articles/on_offer", { fields, per_page: "100" })).rows as Article[];
    },
    staleTime: 60_000,
  });
  const lines = useQuery({
    queryKey: [account.id, "order lines"],
    queryFn: async () =>
      (await api.list("/shop_order_lines/personal", { fields: "name,status,quantity,ordered_at", sort: "-id" }))
        .rows as OrderLine[],
  });
  if (articles.error !== null && articles.data === undefined)
    return <ErrorPanel error={articles.error} retry={() => void articles.refetch()} />;
  if (articles.data === undefined) return <Loading />;
  return (
    <div className="shop">
      <h1>{t("nav.shop")}</h1>
      {articles.data.length === 0 && <p className="quiet">{t("shop.none")}</p>}
      <ul className="shop-articles">
        {articles.data.map((article) => (
          <li key={article.id} className="panel shop-article">
            {article.picture_uri !== null && article.picture_uri !== "" && (
              <img src={article.picture_uri} alt="" loading="lazy" />
            )}
            <h2>{article.localized_name}</h2>
            <p className="quiet">{article.localized_short_description}</p>
            <p className="shop-price">
              {article.price !== null && formatMoney(article.price, article.price_currency)}
              {article.recurring_price !== null && (
                <span className="quiet">
                  {t("shop.recurring", {
                    period: article.recurring_period ?? "other",
                    price: formatMoney(article.recurring_price, article.recurring_price_currency),
                  })}
                </span>
              )}
            </p>
            {article.fulfillment_template !== null && (
              <Link
                className="button"
                to={at.form(article.fulfillment_template.id, article.localized_name)}
                aria-label={t("shop.orderWhat", { name: article.localized_name })}
              >
                {t("shop.order")}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {(lines.data?.length ?? 0) > 0 && (
        <section aria-labelledby="ordered">
          <h2 id="ordered" className="section-title">
            {t("shop.ordered")}
          </h2>
          <ul className="rows panel">
            {lines.data?.map((line) => (
              <li key={line.id} className="row">
                <span className="row-text">
                  <span className="row-title">{line.name}</span>
                  <span className="row-state quiet">{t(describeLine(line.status))}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const describeLine = (status: string): Word => {
  if (status === "in_cart") return "shop.inCart";
  if (status === "completed") return "shop.delivered";
  return status === "canceled" ? "shop.canceled" : "shop.underWay";
};
