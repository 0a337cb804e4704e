import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { personKind } from "../../../base/person-kind.ts";
import { leaveWhenConnected } from "../../../live/leaving.ts";

/**
 * A person who only asks for help in an account has the portal there, which is another page (D-300). The server answers
 * every address below /portal with it, so that leaving can neither fail nor repeat. True while that happens.
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
