import { useMemo } from "react";
import { type MarkupOptions, renderMarkup } from "../../parts/markup/markup-elements.tsx";
import { type Addresses, useAddresses } from "../addresses.ts";
import { followLink } from "../router.tsx";
import { t } from "../words.ts";

const buildLink =
  (at: Addresses): MarkupOptions["link"] =>
  (type, id) => {
    const href = type === "request" ? at.request(id) : type === "knowledge_article" ? at.article(id) : null;
    if (href === null) return null;
    const label = t(type === "request" ? "link.request" : "link.article", { id: String(id) });
    return { href, label, onClick: followLink(href) };
  };

/** A text as its reader sees it; what it mentions is a link where a requester can open it. */
export function Markup({ text, image }: { text: string; image?: MarkupOptions["image"] }) {
  const at = useAddresses();
  const { home } = at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: addresses are alike as long as the first one is
  const content = useMemo(
    () => renderMarkup(text, { link: buildLink(at), ...(image === undefined ? {} : { image }) }),
    [text, image, home],
  );
  return <div className="markup">{content}</div>;
}
