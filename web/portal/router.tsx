import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";

// Addresses of the portal. A few pages need no routing library, and phones load every kilobyte of this file.

const listeners = new Set<() => void>();
const announce = (): void => {
  for (const listener of listeners) listener();
};
addEventListener("popstate", announce);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAddress = (): string => useSyncExternalStore(subscribe, () => location.pathname + location.search);

export function navigateTo(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  announce();
  if (!replace) scrollTo(0, 0);
}

const isPlainClick = (event: MouseEvent): boolean =>
  !event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

export const followLink = (path: string) => (event: MouseEvent) => {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  navigateTo(path);
};

export const Link = ({ to, ...rest }: { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a href={to} onClick={followLink(to)} {...rest} />
);
