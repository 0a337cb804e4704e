import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { personKind } from "../../../base/person-kind.ts";
import { leaveWhenConnected } from "../../../live/navigation-guard.ts";

/**
 * Requesters use an account's portal, which is a separate page (D-300). The server returns it for every address below
 * /portal, so that leaving can neither fail nor repeat. True while the page is leaving.
 */
export function useLeaveToPortal(account: { id: string; roles: readonly string[] } | undefined): boolean {
  const { pathname } = useLocation();
  const leaves =
    account !== undefined && personKind(account.roles) === "requester" && !/^\/a\/[^/]+\/profile(\/|$)/.test(pathname);
  useEffect(() => {
    if (leaves) void leaveWhenConnected(() => location.replace(location.href.replace(/(\/a\/[^/?#]+)/, "$1/portal")));
  }, [leaves]);
  return leaves;
}
