import { useMemo } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { type MarkupOptions, renderMarkup } from "./markup-elements.tsx";

/** Renders a text field. */
export function Markup({ text, image }: { text: string; image?: MarkupOptions["image"] }) {
  const { account } = useCurrentAccount();
  const content = useMemo(() => {
    const link: MarkupOptions["link"] = (name, id) => {
      const type = findEntry(name);
      if (type === undefined || type.listed !== true) return null;
      const href = paths.record(account.id, type, id);
      return { href, label: `${typeLabel(type)} ${id}`, onClick: linkTo(href).onClick };
    };
    return renderMarkup(text, image === undefined ? { link } : { link, image });
  }, [text, image, account.id]);
  return <div className="markup">{content}</div>;
}
