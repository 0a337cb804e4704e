import { id, record, timestamps } from "../vocabulary/index.ts";

export const shopArticleCategory = record("shop_article_category", {
  collection: "shop_article_categories",
  fields: { id, ...timestamps },
});
