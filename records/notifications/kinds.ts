// The kinds of notifications that people choose from, without the table that decides on them: pages load this.

// biome-ignore format: one line
export const notificationKinds = ["mention", "assignment", "approval", "answer", "target", "team", "watched", "halted"] as const;
export type PageNotificationKind = (typeof notificationKinds)[number];

/** D-453: kinds that were a part of another one. Until it is chosen itself, the choice of the other one counts. */
export const widerKinds: Readonly<Partial<Record<PageNotificationKind, PageNotificationKind>>> = { team: "assignment" };
