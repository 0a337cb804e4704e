import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { sessionApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { invalidateAccount } from "../../live/refetch.ts";

const pollMilliseconds = 1000;

/** The first start of a demo: its pages are there before the work of three months, which fills them a little later. */
export function ArrivingWork({ text }: { text: string }) {
  const { account, who } = useCurrentAccount();
  const queries = useQueryClient();
  const { data: percent } = useQuery({
    queryKey: ["arriving work"],
    queryFn: async () => (await sessionApi.whoAmI()).arriving_work ?? null,
    initialData: who.arriving_work ?? null,
    refetchInterval: ({ state }) => (state.data == null ? false : pollMilliseconds),
  });
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
