import { Fragment, type ReactNode } from "react";
import { useCurrentAccount } from "../api/current-account.ts";
import { useDocumentTitle } from "../base/document-title.ts";
import { linkTo } from "../base/history.ts";
import { t } from "../languages/index.ts";

type Props = {
  /** the h1, and the text of the window title if the h1 is more than text */
  title: ReactNode;
  windowTitle?: string | undefined;
  /** the breadcrumb; its last part is the title itself */
  trail?: readonly { label: string; path: string }[];
  /** beside the title: tabs, chips */
  children?: ReactNode;
  /** at the far end of the bar: buttons */
  actions?: ReactNode;
  /** false: a record shows its subject below in large letters, so the bar's title isn't a heading */
  heading?: boolean;
  /** a class of the bar itself, which defines its wrapping on a phone */
  className?: string;
};

/** The bar at the top of a page, 48 px: breadcrumb, title, tabs, buttons. */
export function PageBar({ title, windowTitle, trail = [], children, actions, heading = true, className }: Props) {
  const { account } = useCurrentAccount();
  useDocumentTitle(
    windowTitle ?? (typeof title === "string" ? title : ""),
    ...(trail.length === 0 ? [] : [trail.at(-1)?.label ?? ""]),
    account.name,
  );
  const Title = heading ? "h1" : "span";
  return (
    <div className={className === undefined ? "page-bar" : `page-bar ${className}`}>
      {trail.length > 0 && (
        <nav aria-label={t("record.breadcrumb")} className="trail">
          {trail.map(({ label, path }) => {
            const { component: _, ...link } = linkTo(path);
            return (
              <Fragment key={path}>
                <a {...link}>{label}</a>
                <span aria-hidden="true" className="trail-mark">
                  ›
                </span>
              </Fragment>
            );
          })}
        </nav>
      )}
      <Title className="page-title">{title}</Title>
      {children}
      {actions !== undefined && <div className="page-actions">{actions}</div>}
    </div>
  );
}
