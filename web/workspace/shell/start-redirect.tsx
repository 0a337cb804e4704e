import { useContext, useEffect } from "react";
import { CurrentAccountContext } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { paths } from "../../paths.ts";
import { useWhoAmI } from "../../queries/index.ts";
import { startPath } from "./menu-items.ts";

/** "/": on to an account in which there is something to do, the own one first. */
export function StartRedirect() {
  const { data, error, refetch } = useWhoAmI();
  useEffect(() => {
    if (data === undefined) return;
    const own = data.accounts.find(({ id }) => id === data.person.account);
    const chosen = own?.roles.length ? own : (data.accounts.find(({ roles }) => roles.length > 0) ?? own);
    navigateTo(paths.home(chosen?.id ?? data.person.account), true);
  }, [data]);
  return error === null ? <LoadingSkeleton /> : <ErrorMessage error={error} retry={() => void refetch()} />;
}

/** "/a/<account>": on to the page that the person starts with there. */
export function AccountStart() {
  const here = useContext(CurrentAccountContext);
  useEffect(() => {
    if (here !== null) navigateTo(startPath(here), true);
  }, [here]);
  return <LoadingSkeleton />;
}
