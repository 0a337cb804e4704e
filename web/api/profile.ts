import type { Authorization, Session, Token } from "../wire.ts";
import { readJson } from "./call.ts";
import { callSessionApi } from "./session.ts";

/** What people look after themselves: their sessions, tokens, applications and password. */
export const profileApi = {
  sessions: () => readJson<Session[]>(callSessionApi("GET", "/sessions")),
  endSession: (id: number) => callSessionApi("DELETE", `/sessions/${id}`),
  tokens: () => readJson<Token[]>(callSessionApi("GET", "/personal-access-tokens")),
  createToken: (wanted: unknown) =>
    readJson<Token & { token: string }>(callSessionApi("POST", "/personal-access-tokens", wanted)),
  deleteToken: (id: number) => callSessionApi("DELETE", `/personal-access-tokens/${id}`),
  authorizations: () => readJson<Authorization[]>(callSessionApi("GET", "/authorizations")),
  revokeAuthorization: (id: number) => callSessionApi("DELETE", `/authorizations/${id}`),
  changePassword: (wanted: unknown) => callSessionApi("PUT", "/password", wanted),
};
