import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type {
  authorization,
  passkey,
  personalToken,
  secondFactor,
  secondFactorSetup,
  tokenRules,
} from "../../records/answers/session.ts";
import { callSession, type SessionBodyOf } from "./session-operations.ts";

// Settings that people manage themselves: sessions, tokens, applications, passkeys and password.

export type Authorization = AnswerOf<typeof authorization>;
export type Passkey = AnswerOf<typeof passkey>;
export type SecondFactor = AnswerOf<typeof secondFactor>;
export type SecondFactorSetup = AnswerOf<typeof secondFactorSetup>;
export type Token = AnswerOf<typeof personalToken>;
export type TokenRules = AnswerOf<typeof tokenRules>;

export const profileApi = {
  sessions: () => callSession("GET /sessions", {}),
  endSession: (id: number) => callSession("DELETE /sessions/:id", { id }),
  tokens: () => callSession("GET /personal-access-tokens", {}),
  tokenRules: () => callSession("GET /token-rules", {}),
  createToken: (wanted: SessionBodyOf<"POST /personal-access-tokens">) =>
    callSession("POST /personal-access-tokens", {}, wanted),
  deleteToken: (id: number) => callSession("DELETE /personal-access-tokens/:id", { id }),
  authorizations: () => callSession("GET /authorizations", {}),
  revokeAuthorization: (id: number) => callSession("DELETE /authorizations/:id", { id }),
  secondFactor: () => callSession("GET /second-factor", {}),
  startSecondFactor: (current_password: string) => callSession("POST /second-factor/setup", {}, { current_password }),
  finishSecondFactor: (wanted: SessionBodyOf<"POST /second-factor">) => callSession("POST /second-factor", {}, wanted),
  renewRecoveryCodes: (current_password: string) =>
    callSession("POST /second-factor/recovery-codes", {}, { current_password }),
  removeSecondFactor: (current_password: string) =>
    callSession("POST /second-factor/removal", {}, { current_password }),
  forgetDevices: () => callSession("DELETE /second-factor/devices", {}),
  prove: (wanted: SessionBodyOf<"POST /proof">) => callSession("POST /proof", {}, wanted),
  startProof: () => callSession("POST /proof/passkey", {}),
  passkeys: () => callSession("GET /passkeys", {}),
  startPasskey: () => callSession("POST /passkeys/options", {}),
  finishPasskey: (wanted: SessionBodyOf<"POST /passkeys">) => callSession("POST /passkeys", {}, wanted),
  deletePasskey: (id: number) => callSession("DELETE /passkeys/:id", { id }),
  changePassword: (wanted: SessionBodyOf<"PUT /password">) => callSession("PUT /password", {}, wanted),
};
