import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { useTitle } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { t, type Word } from "../words.ts";
import { ArticleForm } from "./article-form.tsx";
import { Cart } from "./cart.tsx";
import { formatMoney } from "./money.ts";
import { type OrderLine, useOrderLines } from "./order-lines.ts";

type Article = Row & {
  name: string;
  localized_name: string;
  localized_short_description: string | null;
  price: string | null;
  price_currency: string | null;
  recurring_price: string | null;
  recurring_price_currency: string | null;
  recurring_period: string | null;
  picture_uri: string | null;
  max_quantity: number | null;
  ui_extension: { id: number } | null;
};

/** What the account offers, with its price, and what was ordered. */
export function ShopPage() {
  const { account, api } = useCurrentAccount();
  useTitle(t("nav.shop"));
  const articles = useQuery({
    queryKey: [account.id, "shop"],
    queryFn: async () => {
      const fields = [
        ...["name", "localized_name", "localized_short_description", "price", "price_currency", "recurring_price"],
        ...["recurring_price_currency", "recurring_period", "picture_uri", "max_quantity", "ui_extension"],
      ].join();
      return (await api.list("/shop_articles/on_offer", { fields, per_page: "100" })).rows as Article[];
    },
    staleTime: 60_000,
  });
  const { lines, refresh } = useOrderLines();
  const ordered = lines.filter(({ status }) => status !== "in_cart");
  const cart = lines.filter(({ status }) => status === "in_cart");
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<Article | null>(null);
  const putIntoCart = async (article: Article, answers?: Readonly<Record<string, unknown>>) => {
    setBusy(true);
    try {
      // One line for each article: a second click makes it one more. Answers are those of one line.
      const line = answers === undefined ? cart.find(({ name }) => name === article.name) : undefined;
      const more = Number(line?.quantity ?? 0) + 1;
      if (line === undefined)
        await api.create("/shop_order_lines", {
          shop_article_id: article.id,
          ...(answers === undefined ? {} : { custom_fields: answers }),
        });
      else if (more <= (article.max_quantity ?? 1))
        await api.change(`/shop_order_lines/${line.id}`, { quantity: more });
      setAsked(null);
      showMessage(t("shop.added"));
      await refresh();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  if (articles.error !== null && articles.data === undefined)
    return <ErrorPanel error={articles.error} retry={() => void articles.refetch()} />;
  if (articles.data === undefined) return <Loading />;
  return (
    <div className="shop">
      <h1>{t("nav.shop")}</h1>
      {articles.data.length === 0 && <p className="quiet">{t("shop.none")}</p>}
      {cart.length > 0 && (
        <Cart lines={cart} most={(name) => articles.data.find((each) => each.name === name)?.max_quantity ?? 1} />
      )}
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
            <button
              type="button"
              className="button"
              disabled={busy}
              aria-label={t("shop.orderWhat", { name: article.localized_name })}
              onClick={() => (article.ui_extension === null ? void putIntoCart(article) : setAsked(article))}
            >
              {t("shop.order")}
            </button>
          </li>
        ))}
      </ul>
      {asked !== null && (
        <ArticleForm
          key={asked.id}
          article={asked}
          busy={busy}
          onClose={() => setAsked(null)}
          onDone={(answers) => void putIntoCart(asked, answers)}
        />
      )}
      {ordered.length > 0 && (
        <section aria-labelledby="ordered">
          <h2 id="ordered" className="section-title">
            {t("shop.ordered")}
          </h2>
          <ul className="rows panel">
            {ordered.map((line) => (
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

const describeLine = (status: OrderLine["status"]): Word => {
  if (status === "completed") return "shop.delivered";
  return status === "canceled" ? "shop.canceled" : "shop.underWay";
};
