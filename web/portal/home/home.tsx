import type { PortalHome } from "../../../records/answers/portal.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { putIntoPanel, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { useNow } from "../../parts/now.ts";
import { toCount } from "../../queries/total.ts";
import { useAddresses } from "../addresses.ts";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { useHome, useKeptPortal } from "../queries.ts";
import { RequestRows } from "../requests/request-rows.tsx";
import { Link } from "../router.tsx";
import { t } from "../words.ts";
import { SearchBox } from "./search-box.tsx";
import { shownTiles } from "./tiles.ts";

/** The greeting for the time of day in the browser's zone. */
function greet(now: number, name: string): string {
  const hour = new Date(now).getHours();
  const part = hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
  return t("home.greeting", { part, name });
}

const describeAll = ({ total, is_total_old: isTotalOld }: PortalHome["requests"]): string =>
  t(isTotalOld ? "home.allAbout" : "home.all", { count: toCount({ total, isTotalOld }) });

export function HomePage() {
  const { who } = useCurrentAccount();
  const at = useAddresses();
  const { data, error, refetch } = useHome();
  const { look } = useKeptPortal();
  const now = useNow();
  const name = who.person.name.split(" ")[0] ?? who.person.name;
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  return (
    <div className="home">
      <h1 className="greeting">
        <span className="wide-only">{greet(now, name)}</span>
        <span className="narrow-only">{t("home.greetingShort", { name })}</span>
      </h1>
      {look.greeting !== undefined && <p className="home-lead">{look.greeting}</p>}
      <SearchBox />
      {data === undefined ? (
        <Loading rows={6} />
      ) : (
        <>
          {data.articles.length > 0 && (
            <p className="often">
              <span className="quiet">{t("home.often")}</span>
              {data.articles.map(({ id, subject }) => (
                <Link key={id} className="pill" to={at.article(id)}>
                  {subject}
                </Link>
              ))}
            </p>
          )}
          <nav className="tiles" aria-label={t("home.tiles")}>
            {shownTiles(data, look.tiles).map(({ key, title, lead, tone, icon }) => (
              <Link key={key} className="tile panel" to={at.catalogue(key)}>
                <span className="tile-icon" data-tone={tone}>
                  <Icon of={icon} size={22} />
                </span>
                <span className="tile-text">
                  <b>{t(title)}</b>
                  <span className="tile-lead">{t(lead)}</span>
                </span>
              </Link>
            ))}
          </nav>
          <div className="home-columns">
            {data.requests.open.length > 0 ? (
              <section aria-labelledby="open-requests">
                <header className="section-head">
                  <h2 id="open-requests">{t("home.open")}</h2>
                  <Link to={at.requests}>{describeAll(data.requests)}</Link>
                </header>
                <RequestRows requests={data.requests.open} />
              </section>
            ) : (
              data.requests.total > 0 && (
                <p className="quiet">
                  {t("home.nothingOpen")} <Link to={at.requests}>{describeAll(data.requests)}</Link>
                </p>
              )
            )}
            {data.approvals.items.length > 0 && (
              <section aria-labelledby="waiting-for-you">
                <header className="section-head">
                  <h2 id="waiting-for-you">{t("home.waiting")}</h2>
                  {data.approvals.total > data.approvals.items.length && (
                    <Link to={at.approvals}>{t("home.all", { count: data.approvals.total })}</Link>
                  )}
                </header>
                {data.approvals.items.map((approval) => (
                  <RowBoundary key={approval.task} row={approval} frame={putIntoPanel}>
                    {() => <ApprovalCard approval={approval} short />}
                  </RowBoundary>
                ))}
              </section>
            )}
          </div>
        </>
      )}
    </div>
  );
}
