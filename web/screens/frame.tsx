import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { ApiError, records } from "../api.ts";
import { setClock } from "../formats.ts";
import { speak } from "../languages/index.ts";
import { loadLabels } from "../languages/labels.ts";
import { Problem } from "../parts/problem.tsx";
import { Shell } from "../parts/shell.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useWhoAmI } from "../queries.ts";
import { type Here, HereContext } from "../session.ts";

/** Everything below /a/<account>: first who is there, in which language, then the page. */
export function Frame() {
  const { account: id = "" } = useParams({ strict: false });
  const who = useWhoAmI();
  const ready = useQuery({
    queryKey: ["language", who.data?.person.locale],
    queryFn: async () => {
      const { person } = who.data as NonNullable<typeof who.data>;
      speak(person.locale);
      const me = await records(person.account).get<{ time_format_24h?: boolean }>("/me");
      setClock(me.time_format_24h !== false);
      await loadLabels(person.locale);
      return true;
    },
    enabled: who.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const account = who.data?.accounts.find((each) => each.id === id);
  const here = useMemo<Here | null>(
    () => (who.data === undefined || account === undefined ? null : { who: who.data, account }),
    [who.data, account],
  );
  if (who.isError) return <Problem error={who.error} retry={() => void who.refetch()} />;
  if (ready.isError) return <Problem error={ready.error} retry={() => void ready.refetch()} />;
  if (who.data === undefined || ready.data === undefined) return <Waiting rows={10} />;
  if (here === null) return <Problem error={new ApiError(404, "")} />;
  return (
    <HereContext value={here}>
      <Shell>
        <Outlet />
      </Shell>
    </HereContext>
  );
}
