import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { Suspense, useMemo } from "react";
import { ApiError, keptApi, recordsApi } from "../../api.ts";
import { type CurrentAccount, CurrentAccountContext } from "../../current-account.ts";
import { setTimeFormat } from "../../formats.ts";
import { loadLanguage, t } from "../../languages/index.ts";
import { loadLabels } from "../../languages/labels.ts";
import { useUnreadNotifications } from "../../live/inbox-counts.ts";
import { Live } from "../../live/live.tsx";
import { setReaderTime } from "../../moments.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { showError } from "../../parts/toast.tsx";
import { adoptPreferences, keepPreferencesBy, type Preferences } from "../../preferences.ts";
import { useWhoAmI } from "../../queries/index.ts";
import { useLeaveToPortal } from "./leave-to-portal.ts";
import { Shell } from "./shell.tsx";

const ArrivingWork = lazyPart(async () => (await import("./arriving-work.tsx")).ArrivingWork);
const BroadcastBanner = lazyPart(async () => (await import("../broadcasts/banner.tsx")).BroadcastBanner);

/** Everything below /a/<account>: first who is there, in which language, then the page. */
export function AccountFrame() {
  const { account: id = "" } = useParams({ strict: false });
  const who = useWhoAmI();
  const unreadNotifications = useUnreadNotifications();
  const ready = useQuery({
    queryKey: ["language", who.data?.person.locale, who.data?.person.time_zone],
    queryFn: async () => {
      const { person } = who.data as NonNullable<typeof who.data>;
      const kept = keptApi(person.account);
      const [me, [preferences]] = await Promise.all([
        recordsApi(person.account).get<{ time_format_24h?: boolean }>("/me"),
        // Nobody waits for their preferences longer than for the page: without an answer this browser's count.
        kept.list<Partial<Preferences>>("preference").then(
          (items) => items.filter(({ key, owner }) => key === "interface" && owner === "me"),
          () => [],
        ),
        loadLanguage(person.locale),
        loadLabels(person.locale),
      ]);
      if (preferences !== undefined) adoptPreferences(preferences.value);
      keepPreferencesBy((chosen) => void kept.put("preference", "interface", chosen).catch(showError));
      const hours24 = me.time_format_24h !== false;
      setTimeFormat(hours24);
      setReaderTime(person.iana_zone, hours24);
      return `${person.locale} ${person.time_zone} ${hours24}`;
    },
    placeholderData: keepPreviousData,
    enabled: who.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Going back to an earlier language loads its words again: they are not part of the answer.
    gcTime: 0,
  });
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
      {/* Another language is another page: every word of it is made anew. */}
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
