import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import { ApiError } from "../../api.ts";
import { type CurrentAccount, CurrentAccountContext, useCurrentAccount } from "../../current-account.ts";
import { requestedLanguage } from "../../languages/index.ts";
import { useTopics } from "../../live/use-topics.ts";
import { setReaderTime } from "../../moments.ts";
import { useWhoAmI } from "../../queries/index.ts";
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

// Everything below /a/<account> for somebody who asks for help: who is there, in which language, then the page.

const load = {
  home: () => import("../home/home.tsx"),
  form: () => import("../form/form-page.tsx"),
  catalogue: () => import("../home/catalogue.tsx"),
  requests: () => import("../requests/request-list.tsx"),
  request: () => import("../requests/request-page.tsx"),
  approvals: () => import("../approvals/approvals.tsx"),
  knowledge: () => import("../knowledge/knowledge.tsx"),
  article: () => import("../knowledge/article.tsx"),
  shop: () => import("../offers/shop.tsx"),
  reservations: () => import("../offers/reservations.tsx"),
};
const HomePage = lazy(async () => ({ default: (await load.home()).HomePage }));
const FormPage = lazy(async () => ({ default: (await load.form()).FormPage }));
const CataloguePage = lazy(async () => ({ default: (await load.catalogue()).CataloguePage }));
const RequestListPage = lazy(async () => ({ default: (await load.requests()).RequestListPage }));
const RequestPage = lazy(async () => ({ default: (await load.request()).RequestPage }));
const ApprovalsPage = lazy(async () => ({ default: (await load.approvals()).ApprovalsPage }));
const ApprovalPage = lazy(async () => ({ default: (await load.approvals()).ApprovalPage }));
const KnowledgePage = lazy(async () => ({ default: (await load.knowledge()).KnowledgePage }));
const ArticlePage = lazy(async () => ({ default: (await load.article()).ArticlePage }));
const ShopPage = lazy(async () => ({ default: (await load.shop()).ShopPage }));
const ReservationsPage = lazy(async () => ({ default: (await load.reservations()).ReservationsPage }));

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
    queryKey: ["words", language],
    queryFn: async () => {
      await loadWords(language as string);
      return language as string;
    },
    enabled: language !== undefined && person !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (person !== undefined) setReaderTime(person.time_zone, true);
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

const ArrivingWork = lazy(async () => ({
  default: (await import("../../parts/loading/arriving-work.tsx")).ArrivingWork,
}));

function Frame({ place }: { place: Place }) {
  const { account, who } = useCurrentAccount();
  const live = useLive();
  const home = useHome();
  const shown = home.data?.requests.open ?? [];
  // The stream tells of these; a request that is open subscribes by itself.
  useTopics(["inbox", ...shown.map(({ id }) => `record/request/${id}`)]);
  useAccent();
  const main = useRef<HTMLElement>(null);
  const key = JSON.stringify(place);
  const first = useRef(key);
  // A new page begins at its heading, also for somebody who does not see it change.
  useEffect(() => {
    if (first.current === key) return;
    first.current = "";
    main.current?.focus({ preventScroll: true });
  }, [key]);
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
      {live === "polling" && (
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
