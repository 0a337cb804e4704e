import { useMemo } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type MarkupOptions, renderMarkup } from "../../parts/markup/markup-elements.tsx";
import { type Addresses, buildAddresses, isRequesterOnly } from "../addresses.ts";
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

/** Renders a text. Mentioned records are links if a requester can open them. */
export function Markup({ text, image }: { text: string; image?: MarkupOptions["image"] }) {
  const { account } = useCurrentAccount();
  const { id } = account;
  const isRequester = isRequesterOnly(account.roles);
  const content = useMemo(() => {
    const link = buildLink(buildAddresses(id, isRequester));
    return renderMarkup(text, { link, ...(image === undefined ? {} : { image }) });
  }, [text, image, id, isRequester]);
  return <div className="markup">{content}</div>;
}
