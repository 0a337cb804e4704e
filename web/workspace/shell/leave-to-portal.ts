import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { leaveWhenConnected } from "../../live/leaving.ts";
import { personKind } from "../../person-kind.ts";

/**
 * Whoever only asks for help in an account has the portal there, which is another page with the same address: loading it
 * anew brings it (D-300). True while that happens.
 */
export function useLeaveToPortal(account: { id: string; roles: readonly string[] } | undefined): boolean {
  const { pathname } = useLocation();
  const leaves =
    account !== undefined && personKind(account.roles) === "requester" && !/^\/a\/[^/]+\/profile(\/|$)/.test(pathname);
  useEffect(() => {
    if (leaves && mayReload(pathname)) void leaveWhenConnected(() => location.replace(location.href));
  }, [leaves, pathname]);
  return leaves;
}

const storageKey = "steward-to-portal";

/** Once in a while: a server that answers with this page again must not be asked for ever. */
function mayReload(path: string): boolean {
  try {
    const [last, at] = (sessionStorage.getItem(storageKey) ?? "").split(" ");
    if (last === path && Date.now() - Number(at) < 10_000) return false;
    sessionStorage.setItem(storageKey, `${path} ${Date.now()}`);
    return true;
  } catch {
    return true; // storage is switched off
  }
}
