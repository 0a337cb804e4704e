import { statement } from "../database/database.ts";

const settings = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "synchronous_commit"];

/**
 * Before a statement about the few deliveries that are sent now: PostgreSQL keeps a plan that it made while a journal was small,
 * and such a plan reads the whole journal for every batch when a storm of events has filled it. Losing what the transaction
 * writes in a power cut does no harm: messages are sent again, which receivers must expect anyway.
 */
export const planForFewRows = statement(
  `SELECT ${settings.map((name) => `set_config('${name}', 'off', true)`).join(", ")}`,
);
