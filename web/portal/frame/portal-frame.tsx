import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useRef } from "react";
import { type CurrentAccount, CurrentAccountContext, useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { setReaderTime } from "../../base/moments.ts";
import { preloadWhenIdle } from "../../base/when-idle.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { requestedLanguage } from "../../languages/index.ts";
import { useIsConnected } from "../../live/connectivity.ts";
import { useTopics } from "../../live/use-topics.ts";
import { wordQueries } from "../../queries/portal/words.ts";
import { useWhoAmI } from "../../queries/signed-in-person.ts";
import { type Place, parsePlace } from "../addresses.ts";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { useHome } from "../queries.ts";
import { useAddress } from "../router.tsx";
import { loadWords, t } from "../words.ts";
import { Banner } from "./banner.tsx";
import { BottomBar, TopBar } from "./bars.tsx";
import { ErrorGuard } from "./error-guard.tsx";
import { Toasts } from "./toasts.tsx";
import { useAccent } from "./use-accent.ts";
import { useLive } from "./use-live.ts";

// Everything below /a/<account> for a requester: loads the person and the language, then shows the page.

const HomePage = lazyPart(async () => (await import("../home/home.tsx")).HomePage);
const FormPage = lazyPart(async () => (await import("../form/form-page.tsx")).FormPage);
const CataloguePage = lazyPart(async () => (await import("../home/catalogue.tsx")).CataloguePage);
const RequestListPage = lazyPart(async () => (await import("../requests/request-list.tsx")).RequestListPage);
const RequestPage = lazyPart(async () => (await import("../requests/request-page.tsx")).RequestPage);
const ApprovalsPage = lazyPart(async () => (await import("../approvals/approvals.tsx")).ApprovalsPage);
const ApprovalPage = lazyPart(async () => (await import("../approvals/approvals.tsx")).ApprovalPage);
const KnowledgePage = lazyPart(async () => (await import("../knowledge/knowledge.tsx")).KnowledgePage);
const ArticlePage = lazyPart(async () => (await import("../knowledge/article.tsx")).ArticlePage);
const ShopPage = lazyPart(async () => (await import("../offers/shop.tsx")).ShopPage);
const ReservationsPage = lazyPart(async () => (await import("../offers/reservations.tsx")).ReservationsPage);

/** Preloaded during the first page view, so that the next page renders immediately, even without a connection. */
const nextPages = [
  ...[HomePage, CataloguePage, FormPage, RequestListPage, RequestPage, KnowledgePage, ArticlePage],
  ...[ApprovalsPage, ApprovalPage, ShopPage, ReservationsPage],
];

function Page({ place }: { place: Place }) {
  switch (place.page) {
    case "home":
      return <HomePage />;
    case "form":
      return <FormPage key={place.id} template={place.id} device={null} />;
    case "device":
      return <FormPage key={place.id} template={null} device={place.id} />;
    case "catalogue":
      return <CataloguePage key={place.id} id={place.id} />;
    case "requests":
      return <RequestListPage />;
    case "request":
      return <RequestPage key={place.id} id={place.id} />;
    case "approvals":
      return <ApprovalsPage />;
    case "approval":
      return <ApprovalPage key={place.id} task={place.id} />;
    case "knowledge":
    case "search":
      return <KnowledgePage everything={place.page === "search"} />;
    case "article":
      return <ArticlePage key={place.id} id={place.id} />;
    case "shop":
      return <ShopPage />;
    case "reservations":
      return <ReservationsPage />;
    case "nothing":
      return <ErrorPanel error={new ApiError(404, "")} />;
  }
}

export function PortalFrame() {
  const address = useAddress();
  const [, , id = ""] = address.split(/[/?]/);
  const who = useWhoAmI();
  const person = who.data?.person;
  const language = requestedLanguage() ?? person?.locale;
  const ready = useQuery({
    ...wordQueries.portal(language ?? "", loadWords),
    enabled: language !== undefined && person !== undefined,
  });
  if (person !== undefined) setReaderTime(person.iana_zone, true);
  const account = who.data?.accounts.find((each) => each.id === decodeURIComponent(id));
  const here = useMemo<CurrentAccount | null>(
    () => (who.data === undefined || account === undefined ? null : { who: who.data, account }),
    [who.data, account],
  );
  if (who.isError && !(who.error instanceof ApiError && who.error.status === 401))
    return <ErrorPanel error={who.error} retry={() => void who.refetch()} />;
  if (who.data === undefined || ready.data === undefined) return <Loading />;
  if (here === null) return <ErrorPanel error={new ApiError(404, "")} />;
  return (
    <CurrentAccountContext value={here}>
      <Frame key={`${here.account.id} ${ready.data}`} place={parsePlace(address.split("?")[0] ?? "")} />
    </CurrentAccountContext>
  );
}

const ArrivingWork = lazyPart(async () => (await import("../../parts/loading/arriving-work.tsx")).ArrivingWork);

function Frame({ place }: { place: Place }) {
  const { account, who } = useCurrentAccount();
  const live = useLive();
  const isConnected = useIsConnected();
  const home = useHome();
  const shown = home.data?.requests.open ?? [];
  // The stream reports changes of these; an open request subscribes by itself.
  useTopics(["inbox", ...shown.map(({ id }) => `record/request/${id}`)]);
  useAccent();
  const main = useRef<HTMLElement>(null);
  const key = JSON.stringify(place);
  const first = useRef(key);
  // A new page focuses its heading, so that screen reader users notice the change.
  useEffect(() => {
    if (first.current === key) return;
    first.current = "";
    main.current?.focus({ preventScroll: true });
  }, [key]);
  useEffect(() => preloadWhenIdle(nextPages.map((page) => page.preload)), []);
  useEffect(() => {
    document.title = account.name;
  }, [account.name]);
  return (
    <div className="portal" data-page={place.page} data-live={live}>
      <a className="skip" href="#content">
        {t("skip")}
      </a>
      <TopBar place={place} />
      {who.arriving_work !== undefined && (
        <Suspense fallback={null}>
          <ArrivingWork text={t("arrivingWork")} />
        </Suspense>
      )}
      <Banner />
      {!isConnected && (
        <p className="offline" role="status">
          {t("offline")}
        </p>
      )}
      <main id="content" ref={main} tabIndex={-1} className="wrap">
        <ErrorGuard key={key} isPart>
          <Suspense fallback={<Loading />}>
            <Page place={place} />
          </Suspense>
        </ErrorGuard>
      </main>
      <BottomBar place={place} />
      <Toasts />
    </div>
  );
}
