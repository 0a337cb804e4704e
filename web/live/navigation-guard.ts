import { checkConnection, waitForConnection } from "./connectivity.ts";

// Loading another document replaces the application. Without a connection the browser would show its own error page
// instead, so the application stays until the server is reachable (D-766).

/** For navigation that the person didn't trigger: a session that ended, a page that must be reloaded. */
export async function leaveWhenConnected(leave: () => void): Promise<void> {
  while (!(await checkConnection())) await waitForConnection(true);
  leave();
}

let showOfflineMessage = (): void => {};

/** For navigation that the person triggers: without a connection a message says why nothing happens. */
export async function leaveIfConnected(leave: () => void): Promise<void> {
  if (await checkConnection()) leave();
  else showOfflineMessage();
}

/** Links that the application doesn't route itself, for example to the sign-in page or the portal. */
export function guardLinks(showOffline: () => void): void {
  showOfflineMessage = showOffline;
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!(link instanceof HTMLAnchorElement) || !isPlainClick(event) || !leavesDocument(link)) return;
    event.preventDefault();
    void leaveIfConnected(() => location.assign(link.href));
  });
}

const isPlainClick = (event: MouseEvent): boolean =>
  !event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

function leavesDocument(link: HTMLAnchorElement): boolean {
  if (!link.protocol.startsWith("http") || link.origin !== location.origin) return false;
  if (link.hasAttribute("download") || !["", "_self"].includes(link.target)) return false;
  return link.hash === "" || link.pathname + link.search !== location.pathname + location.search;
}
