import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { Suspense, useMemo } from "react";
import { type CurrentAccount, CurrentAccountContext } from "../../../api/current-account.ts";
import { ApiError } from "../../../api/index.ts";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { t } from "../../../languages/index.ts";
import { useUnreadNotifications } from "../../../live/inbox-counts.ts";
import { ErrorMessage } from "../../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../../parts/loading-skeleton.tsx";
import { readerQueries } from "../../../queries/reader.ts";
import { useWhoAmI } from "../../../queries/signed-in-person.ts";
import { Live } from "../live.tsx";
import { Shell } from "../shell.tsx";
import { useLeaveToPortal } from "./leave-to-portal.ts";

const ArrivingWork = lazyPart(async () => (await import("../arriving-work.tsx")).ArrivingWork);
const BroadcastBanner = lazyPart(async () => (await import("../../broadcasts/banner.tsx")).BroadcastBanner);

/** Everything below /a/<account>: loads the person and the language, then shows the page. */
export function AccountFrame() {
  const { account: id = "" } = useParams({ strict: false });
  const who = useWhoAmI();
  const unreadNotifications = useUnreadNotifications();
  const ready = useQuery(readerQueries.language(who.data?.person));
  const account = who.data?.accounts.find((each) => each.id === id);
  const here = useMemo<CurrentAccount | null>(
    () => (who.data === undefined || account === undefined ? null : { who: who.data, account }),
    [who.data, account],
  );
  const leaves = useLeaveToPortal(account);
  if (who.isError) return <ErrorMessage error={who.error} retry={() => void who.refetch()} />;
  if (ready.isError) return <ErrorMessage error={ready.error} retry={() => void ready.refetch()} />;
  if (who.data === undefined || ready.data === undefined || leaves) return <LoadingSkeleton rows={10} />;
  if (here === null) return <ErrorMessage error={new ApiError(404, "")} />;
  return (
    <CurrentAccountContext value={here}>
      {/* Another language re-mounts the page, because every text changes. */}
      <Shell key={ready.data} notifications={unreadNotifications}>
        <Live>
          <Suspense fallback={null}>
            {here.who.arriving_work !== undefined && <ArrivingWork text={t("app.arrivingWork")} />}
            <BroadcastBanner />
          </Suspense>
          <Outlet />
        </Live>
      </Shell>
    </CurrentAccountContext>
  );
}
