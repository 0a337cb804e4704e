import type { InboxTab } from "../../api.ts";

export const inboxPath = (account: string, tab: InboxTab): string => `/a/${encodeURIComponent(account)}/inbox/${tab}`;
