import { Fragment } from "react";
import { putInPlace, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { listPriceTexts } from "../../parts/order/prices.ts";
import type { ShopArticle } from "../../queries/portal/offers.ts";
import { t } from "../words.ts";

type Props = { articles: readonly ShopArticle[]; busy: boolean; onOrder(article: ShopArticle): void };

/** The articles by category; those without one come last. */
export function ShopArticles({ articles, busy, onOrder }: Props) {
  const groups = [
    ...Map.groupBy(articles, ({ category }) => category?.localized_name ?? category?.name ?? ""),
  ].toSorted(([one], [other]) => Number(one === "") - Number(other === "") || one.localeCompare(other));
  const isGrouped = groups.some(([name]) => name !== "");
  return groups.map(([name, members]) => (
    <Fragment key={name}>
      {isGrouped && <h2 className="section-title">{name === "" ? t("shop.other") : name}</h2>}
      <ul className="shop-articles">
        {members.map((article) => (
          <li key={article.id} className="panel shop-article">
            <RowBoundary row={article} frame={putInPlace}>
              {() => <ArticleCard article={article} heading={isGrouped ? "h3" : "h2"} busy={busy} onOrder={onOrder} />}
            </RowBoundary>
          </li>
        ))}
      </ul>
    </Fragment>
  ));
}

type CardProps = Omit<Props, "articles"> & { article: ShopArticle; heading: "h2" | "h3" };

function ArticleCard({ article, heading: Heading, busy, onOrder }: CardProps) {
  const { localized_name } = article;
  return (
    <>
      {article.picture_uri !== null && article.picture_uri !== "" && (
        <img src={article.picture_uri} alt="" loading="lazy" />
      )}
      <Heading>{localized_name}</Heading>
      <p className="quiet">{article.localized_short_description}</p>
      <p className="shop-price">
        {listPriceTexts({ ...article, quantity: 1 }).map((price, index) => (
          <span key={price} className={index === 0 ? undefined : "quiet"}>
            {price}
          </span>
        ))}
      </p>
      <button
        type="button"
        className="button"
        disabled={busy}
        aria-label={t("shop.orderWhat", { name: localized_name })}
        onClick={() => onOrder(article)}
      >
        {t("shop.order")}
      </button>
    </>
  );
}
