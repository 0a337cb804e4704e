import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { tokenRules } from "../../../records/answers/session.ts";
import { Invalid } from "../../base/errors.ts";
import type { SignInPolicy } from "./policy-members.ts";

// D-552: how long a new personal access token is valid.

/** unless its owner chooses another lifetime, or the account allows less */
export const usualTokenDays = 90;

export type TokenRules = AnswerOf<typeof tokenRules>;

export const buildTokenRules = (policy: SignInPolicy): TokenRules => ({
  usual_days: Math.min(usualTokenDays, policy.longest_token_days),
  longest_days: policy.longest_token_days,
  may_never_expire: policy.tokens_without_expiry,
});

/** `wanted`: days, null for no expiry, undefined for the usual lifetime. Returns days; null: no expiry. */
export function pickTokenDays({ usual_days, longest_days, may_never_expire }: TokenRules, wanted: unknown) {
  if (wanted === undefined) return usual_days;
  if (wanted === null) {
    if (may_never_expire) return null;
    throw new Invalid([["expires_in_days", "can't be blank: the account wants tokens to expire"]]);
  }
  if (!Number.isInteger(wanted) || (wanted as number) < 1 || (wanted as number) > longest_days)
    throw new Invalid([["expires_in_days", `must be a whole number from 1 to ${longest_days}`]]);
  return wanted as number;
}
