import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { invalidateAccount } from "../../live/invalidate-account.ts";
import { arrivingWorkQueries } from "../../queries/parts/arriving-work.ts";

/** On its first start, a demo opens before its three months of work are loaded. */
export function ArrivingWork({ text }: { text: string }) {
  const { account, who } = useCurrentAccount();
  const queries = useQueryClient();
  const { data: percent } = useQuery(arrivingWorkQueries.percent(who.arriving_work ?? null));
  const hasArrived = percent === null;
  useEffect(() => {
    if (hasArrived) invalidateAccount(queries, account.id);
  }, [hasArrived, queries, account.id]);
  if (hasArrived) return null;
  return (
    <div className="arriving-work" role="status">
      <p>{text}</p>
      <progress max={100} value={percent} aria-label={text} />
    </div>
  );
}
