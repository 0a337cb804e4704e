import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { signInPolicy } from "../../../records/answers/sign-in.ts";
import { enumerations } from "../../../records/enumerations/index.ts";
import { defineAccountPolicy, isBoolean, isIntegerBetween, isListOf, isOneOf } from "../../database/account-policy.ts";
import { checkNamedNetworks, checkNetworks } from "./networks.ts";

// How the people of an account sign in, as data. sign-in-policy.ts changes it; D-550 says who enforces which member.

export const signInMethods = ["password", "passkey", "single_sign_on"] as const;
export type SignInMethod = (typeof signInMethods)[number];
/** `emergency`: the owner of the account, by password, regardless of the policy */
export type SessionMethod = SignInMethod | "emergency";

export type SignInPolicy = AnswerOf<typeof signInPolicy>;

export const shortestPassword = 8;

const defaults: SignInPolicy = {
  second_factor: "optional",
  second_factor_roles: [],
  sign_in_methods: signInMethods,
  minimum_password_length: shortestPassword,
  refuse_common_passwords: true,
  idle_session_minutes: 8 * 60,
  longest_session_hours: 30 * 24,
  longest_token_days: 365,
  tokens_without_expiry: false,
  web_networks: [],
  api_networks: [],
  named_networks: [],
};

// biome-ignore format: a table keeps its columns
export const signInPolicies = defineAccountPolicy<SignInPolicy>("sign_in_policies", defaults, {
  second_factor:           isOneOf("optional", "roles", "everyone"),
  second_factor_roles:     isListOf(new Set(enumerations["permission.role"])),
  sign_in_methods:         isListOf(new Set(signInMethods), { min: 1 }),
  minimum_password_length: isIntegerBetween(shortestPassword, 64),
  refuse_common_passwords: isBoolean,
  idle_session_minutes:    isIntegerBetween(5, 30 * 24 * 60),
  longest_session_hours:   isIntegerBetween(1, 30 * 24),
  longest_token_days:      isIntegerBetween(1, 3650),
  tokens_without_expiry:   isBoolean,
  web_networks:            checkNetworks,
  api_networks:            checkNetworks,
  named_networks:          checkNamedNetworks,
});
