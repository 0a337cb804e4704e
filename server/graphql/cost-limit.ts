import type { RateLimitStatus } from "../api/http/rate-limit.ts";

/** The points of a person, as the four X-CostLimit headers and `rateLimit` show them. */
export type CostStatus = Pick<RateLimitStatus, "limit" | "remaining" | "reset" | "retryAfter"> & { cost: number };

export const buildCostHeaders = ({ limit, cost, remaining, reset }: CostStatus): Record<string, string> => ({
  "X-CostLimit-Limit": String(limit),
  "X-CostLimit-Cost": String(cost),
  "X-CostLimit-Remaining": String(remaining),
  "X-CostLimit-Reset": String(reset),
});
