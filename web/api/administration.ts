import type {
  Application,
  ClientPair,
  DeadJob,
  DeliveryDetails,
  EmailPolicy,
  EndedAccess,
  Mail,
  MailWording,
  ReceivedMail,
  SampleWork,
  SecurityTrailEntry,
  SettingsOverview,
  SignInMethods,
  SignInPolicy,
  TrailCounts,
  Webhook,
} from "../wire.ts";
import { type Query, readJson } from "./call.ts";
import { recordsApi } from "./records.ts";
import { callSessionApi } from "./session.ts";

/** What administrators of an account see and do. */
export const administrationApi = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}`;
  const applications = `${at}/oauth-applications`;
  const rest = recordsApi(account);
  return {
    applications: () => readJson<Application[]>(callSessionApi("GET", applications)),
    application: (id: number) => readJson<Application>(callSessionApi("GET", `${applications}/${id}`)),
    createApplication: (wanted: unknown) => readJson<Application>(callSessionApi("POST", applications, wanted)),
    changeApplication: (id: number, wanted: unknown) =>
      readJson<Application>(callSessionApi("PATCH", `${applications}/${id}`, wanted)),
    deleteApplication: (id: number) => callSessionApi("DELETE", `${applications}/${id}`),
    addPair: (id: number) => readJson<ClientPair>(callSessionApi("POST", `${applications}/${id}/clients`)),
    changePair: (id: number, pair: number, disabled: boolean) =>
      callSessionApi("PATCH", `${applications}/${id}/clients/${pair}`, { disabled }),
    deletePair: (id: number, pair: number) => callSessionApi("DELETE", `${applications}/${id}/clients/${pair}`),
    sampleWork: () => readJson<SampleWork>(callSessionApi("GET", `${at}/sample-work`)),
    removeSampleWork: (name: string) => readJson<SampleWork>(callSessionApi("DELETE", `${at}/sample-work`, { name })),
    settingsOverview: () => readJson<SettingsOverview>(callSessionApi("GET", `${at}/settings-overview`)),
    trailCounts: () => readJson<TrailCounts>(callSessionApi("GET", `${at}/trail-counts`)),
    signInMethods: (person: number) => rest.get<SignInMethods>(`/people/${person}/sign_in_methods`),
    signOut: (person: number) => rest.ask<EndedAccess>(`/people/${person}/sign_out`, {}),
    changeAccount: (wanted: unknown) => callSessionApi("PATCH", `${at}/account-settings`, wanted),
    webhooks: () => rest.get<Webhook[]>("/webhook_states"),
    webhook: (id: number) => rest.get<Webhook>(`/webhooks/${id}/state`),
    resendVerification: (id: number) => rest.act(`/webhooks/${id}/verification`),
    delivery: (id: number, delivery: number) => rest.get<DeliveryDetails>(`/webhooks/${id}/deliveries/${delivery}`),
    redeliver: (id: number, wanted: unknown) =>
      rest.ask<{ redelivered: number }>(`/webhooks/${id}/redeliveries`, wanted),
    mails: (query: Query) => rest.list<Mail>("/mails", query),
    sendMailAgain: (id: number) => rest.act(`/mails/${id}/send_again`),
    mailWordings: () => rest.get<MailWording[]>("/mail_wordings"),
    changeMailWording: (name: string, language: string, wanted: { title: string; text: string }) =>
      rest.put<MailWording>(`/mail_wordings/${name}/${language}`, wanted),
    resetMailWording: (name: string, language: string) => rest.remove(`/mail_wordings/${name}/${language}`),
    previewMailWording: (name: string, language: string, wanted: unknown) =>
      rest.ask<{ subject: string; body: string }>(`/mail_wordings/${name}/${language}/preview`, wanted),
    receivedMails: (query: Query) => rest.list<ReceivedMail>("/received_mails", query),
    emailPolicy: () => rest.get<EmailPolicy>("/email_policy"),
    changeEmailPolicy: (wanted: Partial<EmailPolicy> & { secret?: string | null }) =>
      rest.change<EmailPolicy>("/email_policy", wanted),
    signInPolicy: () => rest.get<SignInPolicy>("/sign_in_policy"),
    changeSignInPolicy: (wanted: Partial<SignInPolicy>) => rest.change<SignInPolicy>("/sign_in_policy", wanted),
    trail: (query: Query) => rest.list<SecurityTrailEntry>("/security_trail", query),
    deadJobs: (query: Query) => rest.list<DeadJob>("/dead_jobs", query),
    retryDeadJob: (id: number) => rest.act(`/dead_jobs/${id}/retry`),
    deleteDeadJob: (id: number) => rest.remove(`/dead_jobs/${id}`),
  };
};
