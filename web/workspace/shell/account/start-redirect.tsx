import { useContext, useEffect } from "react";
import { CurrentAccountContext } from "../../../api/current-account.ts";
import { history, navigateTo } from "../../../base/history.ts";
import { paths } from "../../../base/paths.ts";
import { ErrorMessage } from "../../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../../parts/loading-skeleton.tsx";
import { startPath } from "../../../parts/menu/menu-items.ts";
import { useWhoAmI } from "../../../queries/signed-in-person.ts";

/** Replaces the start address, unless the person has already followed a link while the page was loading. */
function redirectFrom(start: string, to: string): void {
  if (history.location.pathname.replace(/(?<=.)\/$/, "") === start) navigateTo(to, true);
}

/** "/": redirects to an account with work for the person, preferably their own. */
export function StartRedirect() {
  const { data, error, refetch } = useWhoAmI();
  useEffect(() => {
    if (data === undefined) return;
    const own = data.accounts.find(({ id }) => id === data.person.account);
    const chosen = own?.roles.length ? own : (data.accounts.find(({ roles }) => roles.length > 0) ?? own);
    redirectFrom("/", paths.home(chosen?.id ?? data.person.account));
  }, [data]);
  return error === null ? <LoadingSkeleton /> : <ErrorMessage error={error} retry={() => void refetch()} />;
}

/** "/a/<account>": redirects to the person's start page there. */
export function AccountStart() {
  const here = useContext(CurrentAccountContext);
  useEffect(() => {
    if (here !== null) redirectFrom(paths.home(here.account.id), startPath(here));
  }, [here]);
  return <LoadingSkeleton />;
}
