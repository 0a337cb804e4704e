import type { securityEvent } from "../../records/answers/administration.ts";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { emailPolicy, mail, mailWording, receivedMail } from "../../records/answers/mail.ts";
import type { application, applicationClient, grantType, newClientPair } from "../../records/answers/session.ts";
import type { signInPolicy } from "../../records/answers/sign-in.ts";
import type { Query } from "./call.ts";
import type { BodyOf } from "./operations.ts";
import { recordsApi } from "./records.ts";
import { callSession, type SessionBodyOf } from "./session-operations.ts";

// The calls of an account's administration pages.

export type Application = AnswerOf<typeof application>;
export type ApplicationValues = SessionBodyOf<"POST /accounts/:account/oauth-applications">;
export type Client = AnswerOf<typeof applicationClient>;
export type ClientPair = AnswerOf<typeof newClientPair>;
export type EmailPolicy = AnswerOf<typeof emailPolicy>;
export type GrantType = AnswerOf<typeof grantType>;
export type Mail = AnswerOf<typeof mail>;
export type MailWording = AnswerOf<typeof mailWording>;
export type ReceivedMail = AnswerOf<typeof receivedMail>;
export type SecurityTrailEntry = AnswerOf<typeof securityEvent>;
export type SignInPolicy = AnswerOf<typeof signInPolicy>;

const pair = "/accounts/:account/oauth-applications/:id/clients/:client";

export const administrationApi = (account: string) => {
  const rest = recordsApi(account);
  return {
    applications: () => callSession("GET /accounts/:account/oauth-applications", { account }),
    application: (id: number) => callSession("GET /accounts/:account/oauth-applications/:id", { account, id }),
    createApplication: (wanted: ApplicationValues) =>
      callSession("POST /accounts/:account/oauth-applications", { account }, wanted),
    changeApplication: (id: number, wanted: ApplicationValues) =>
      callSession("PATCH /accounts/:account/oauth-applications/:id", { account, id }, wanted),
    deleteApplication: (id: number) => callSession("DELETE /accounts/:account/oauth-applications/:id", { account, id }),
    addPair: (id: number) => callSession("POST /accounts/:account/oauth-applications/:id/clients", { account, id }),
    changePair: (id: number, client: number, disabled: boolean) =>
      callSession(`PATCH ${pair}`, { account, id, client }, { disabled }),
    deletePair: (id: number, client: number) => callSession(`DELETE ${pair}`, { account, id, client }),
    signInMethods: (person: number) => rest.call("GET /people/:id/sign_in_methods", { id: person }),
    signOut: (person: number) => rest.call("POST /people/:id/sign_out", { id: person }),
    resendVerification: (id: number) => rest.call("POST /webhooks/:id/verification", { id }),
    redeliver: (id: number, wanted: BodyOf<"POST /webhooks/:id/redeliveries">) =>
      rest.call("POST /webhooks/:id/redeliveries", { id }, wanted),
    sendMailAgain: (id: number) => rest.call("POST /mails/:id/send_again", { id }),
    changeMailWording: (name: string, language: string, wanted: { title: string; text: string }) =>
      rest.call("PUT /mail_wordings/:name/:language", { name, language }, wanted),
    resetMailWording: (name: string, language: string) =>
      rest.call("DELETE /mail_wordings/:name/:language", { name, language }),
    previewMailWording: (
      name: string,
      language: string,
      wanted: BodyOf<"POST /mail_wordings/:name/:language/preview">,
    ) => rest.call("POST /mail_wordings/:name/:language/preview", { name, language }, wanted),
    changeEmailPolicy: (wanted: BodyOf<"PATCH /email_policy">) => rest.call("PATCH /email_policy", {}, wanted),
    changeSignInPolicy: (wanted: BodyOf<"PATCH /sign_in_policy">) => rest.call("PATCH /sign_in_policy", {}, wanted),
    trail: (query: Query) => rest.list<SecurityTrailEntry>("/security_trail", query),
  };
};
