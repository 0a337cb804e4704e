import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { describePrices } from "../../parts/order/prices.ts";
import { portalShopQueries, type ShopArticle } from "../../queries/portal/offers.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { useTitle } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { t, type Word } from "../words.ts";
import { ArticleForm } from "./article-form.tsx";
import { Cart } from "./cart.tsx";
import { type OrderLine, useOrderLines } from "./order-lines.ts";
import { ShopArticles } from "./shop-articles.tsx";

/** The account's articles with their prices, and the person's orders. */
export function ShopPage() {
  const { api } = useCurrentAccount();
  useTitle(t("nav.shop"));
  const articles = useQuery(portalShopQueries.articles(api));
  const { lines, refresh } = useOrderLines();
  const ordered = lines.filter(({ status }) => status !== "in_cart");
  const cart = lines.filter(({ status }) => status === "in_cart");
  const [busy, setBusy] = useState(false);
  const [articleWithForm, setArticleWithForm] = useState<ShopArticle | null>(null);
  const putIntoCart = async (article: ShopArticle, answers?: Readonly<Record<string, unknown>>): Promise<boolean> => {
    setBusy(true);
    try {
      // One line per article: a second click increases its quantity. Answers belong to one line.
      const line = answers === undefined ? cart.find(({ name }) => name === article.name) : undefined;
      const more = Number(line?.quantity ?? 0) + 1;
      if (line === undefined)
        await api.create("/shop_order_lines", {
          shop_article_id: article.id,
          ...(answers === undefined ? {} : { custom_fields: answers }),
        });
      else if (more <= (article.max_quantity ?? 1))
        await api.change(`/shop_order_lines/${line.id}`, { quantity: more });
      setArticleWithForm(null);
      showMessage(t("shop.added"));
      await refresh();
      return true;
    } catch (error) {
      showError(error);
      return false;
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
      <ShopArticles
        articles={articles.data}
        busy={busy}
        onOrder={(article) => (article.ui_extension === null ? void putIntoCart(article) : setArticleWithForm(article))}
      />
      {articleWithForm !== null && (
        <ArticleForm
          key={articleWithForm.id}
          article={articleWithForm}
          busy={busy}
          onClose={() => setArticleWithForm(null)}
          onDone={(answers) => putIntoCart(articleWithForm, answers)}
        />
      )}
      {ordered.length > 0 && (
        <section aria-labelledby="ordered">
          <h2 id="ordered" className="section-title">
            {t("shop.ordered")}
          </h2>
          <ul className="rows panel">
            {ordered.map((line) => (
              <RowBoundary key={line.id} row={line}>
                {() => (
                  <li className="row">
                    <span className="row-text">
                      <span className="row-title">{line.name}</span>
                      <span className="row-state quiet">
                        {[t(describeLine(line.status)), describePrices(line)].filter((text) => text !== "").join(" · ")}
                      </span>
                    </span>
                  </li>
                )}
              </RowBoundary>
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
