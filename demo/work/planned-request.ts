import type { Scenario } from "./phrases.ts";

/** A request whose further steps are planned. */
export type PlannedRequest = {
  account: string;
  scenario: Scenario;
  requester: string;
  createdAt: Date;
  subject: string;
  lane: string;
  /** null until it is registered */
  id: number | null;
  /** part of a request group */
  isGrouped: boolean;
  /** set when another plan continues it */
  isTakenOver: boolean;
};
