import { id, record, timestamps } from "../vocabulary/index.ts";

export const shopArticle = record("shop_article", {
  collection: "shop_articles",
  fields: { id, ...timestamps },
});
