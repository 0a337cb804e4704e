import type { Authorization, Passkey, SecondFactor, SecondFactorSetup, Session, Token, TokenRules } from "../wire.ts";
import { readJson } from "./call.ts";
import type { PasskeyQuestion } from "./passkeys.ts";
import { callSessionApi } from "./session.ts";

type RecoveryCodes = { recovery_codes: readonly string[] };

/** What people look after themselves: their sessions, tokens, applications and password. */
export const profileApi = {
  sessions: () => readJson<Session[]>(callSessionApi("GET", "/sessions")),
  endSession: (id: number) => callSessionApi("DELETE", `/sessions/${id}`),
  tokens: () => readJson<Token[]>(callSessionApi("GET", "/personal-access-tokens")),
  tokenRules: () => readJson<TokenRules>(callSessionApi("GET", "/token-rules")),
  createToken: (wanted: unknown) =>
    readJson<Token & { token: string }>(callSessionApi("POST", "/personal-access-tokens", wanted)),
  deleteToken: (id: number) => callSessionApi("DELETE", `/personal-access-tokens/${id}`),
  authorizations: () => readJson<Authorization[]>(callSessionApi("GET", "/authorizations")),
  revokeAuthorization: (id: number) => callSessionApi("DELETE", `/authorizations/${id}`),
  secondFactor: () => readJson<SecondFactor>(callSessionApi("GET", "/second-factor")),
  startSecondFactor: (current_password: string) =>
    readJson<SecondFactorSetup>(callSessionApi("POST", "/second-factor/setup", { current_password })),
  finishSecondFactor: (wanted: { token: string; code: string }) =>
    readJson<RecoveryCodes>(callSessionApi("POST", "/second-factor", wanted)),
  renewRecoveryCodes: (current_password: string) =>
    readJson<RecoveryCodes>(callSessionApi("POST", "/second-factor/recovery-codes", { current_password })),
  removeSecondFactor: (current_password: string) =>
    callSessionApi("POST", "/second-factor/removal", { current_password }),
  forgetDevices: () => callSessionApi("DELETE", "/second-factor/devices"),
  prove: (wanted: unknown) => callSessionApi("POST", "/proof", wanted),
  startProof: () =>
    readJson<PasskeyQuestion<PublicKeyCredentialRequestOptionsJSON>>(callSessionApi("POST", "/proof/passkey")),
  passkeys: () => readJson<Passkey[]>(callSessionApi("GET", "/passkeys")),
  startPasskey: () =>
    readJson<PasskeyQuestion<PublicKeyCredentialCreationOptionsJSON>>(callSessionApi("POST", "/passkeys/options")),
  finishPasskey: (wanted: unknown) => readJson<Passkey>(callSessionApi("POST", "/passkeys", wanted)),
  deletePasskey: (id: number) => callSessionApi("DELETE", `/passkeys/${id}`),
  changePassword: (wanted: unknown) => callSessionApi("PUT", "/password", wanted),
};
