import { restoreSharedView, saveSharedView } from "./actions/kept-items.ts";
import { saveRoles } from "./actions/permissions.ts";
import { HttpAdmission } from "./api/http/admission/http-admission.ts";
import { parseJson } from "./api/http/body.ts";
import { getClientAddress, getOrigin } from "./api/http/origin.ts";
import {
  type Api,
  enforceRateLimit,
  identify,
  loadCallerInAccount,
  pickRateBucket,
  requireAllowedNetwork,
  resolveCaller,
} from "./api/http/pipeline.ts";
import { RequestLog } from "./api/http/request-log/request-log.ts";
import { SharedRateLimiter } from "./api/http/shared-rate-limit.ts";
import type { EngineAssembly } from "./assemble-engine.ts";
import type { Automation } from "./automation/run-rule.ts";
import { buildAccountUrl } from "./base/account-url.ts";
import type { Configuration } from "./base/configuration.ts";
import type { Log } from "./base/log.ts";
import { afterJointCommit } from "./database/joint-transaction.ts";
import type { Exchange } from "./exchange/exchange-context.ts";
import { buildCustomViewsFile } from "./exchange/row-files/custom-views.ts";
import { buildEmailTemplatesFile } from "./exchange/row-files/email-templates.ts";
import { organizationsTimeAllocationsFile } from "./exchange/row-files/organizations-time-allocations.ts";
import { buildPeopleRolesFile } from "./exchange/row-files/people-roles.ts";
import type { Inbox } from "./inbound/inbound-context.ts";
import { LiveHub } from "./live/live-hub.ts";
import type { Notifications } from "./notifications/notifications-context.ts";
import { importWording, restoreWording } from "./notifications/wordings/import-wording.ts";
import type { Oauth } from "./oauth/oauth-context.ts";
import { type HashCost, PasswordHasher } from "./oauth/passwords/passwords.ts";
import { createProviders, type Providers } from "./oauth/providers/providers-context.ts";
import type { Scim } from "./scim/scim-context.ts";
import { ScimTokens } from "./scim/tokens.ts";
import type { Webhooks } from "./webhooks/webhooks-context.ts";

// One context object per module: what its functions need of the modules below it.

export type ModuleContexts = {
  api: Api;
  oauth: Oauth;
  providers: Providers;
  webhooks: Webhooks;
  notifications: Notifications;
  automation: Automation;
  exchange: Exchange;
  inbox: Inbox;
  scim: Scim;
  live: LiveHub;
  /** the address of this server in emails */
  origin(): string;
};

type ContextOptions = { configuration: Configuration; log: Log; passwordCost?: HashCost };

export function buildModuleContexts(
  { configuration, log, passwordCost }: ContextOptions,
  { engine, files, identities, webhookCaller, facts, addressFilter, webhookOutbox, lateBindings }: EngineAssembly,
): ModuleContexts {
  const { database, clock, types } = engine;
  const { mail, rateLimit: perHour, rateBurst: burst } = configuration;
  const limiter = new SharedRateLimiter(database, clock, { perHour, burst }, log, configuration.costLimit);
  const hasher = new PasswordHasher(passwordCost);
  const origin = () => buildOwnOrigin(configuration, lateBindings.getPort());
  const getAccountUrl = (account: string) => buildAccountUrl(configuration, origin(), account);
  const wake = () => afterJointCommit(() => lateBindings.wakeWorker());
  const live = new LiveHub({ engine, identities, log });
  lateBindings.announceCommit = () => live.announceCommit();
  const automation: Automation = { engine, log, domain: facts.domain, webhooks: webhookCaller, files };
  const oauth: Oauth = { database, clock, types, identities, hasher, log, secret: facts.secret };
  const api: Api = {
    ...{ engine, identities, limiter, configuration, log, files, ...facts },
    admission: new HttpAdmission(configuration),
    requestLog: new RequestLog(database, clock, log),
  };
  return {
    origin,
    live,
    api,
    oauth,
    providers: createProviders(oauth, engine, addressFilter, origin),
    webhooks: { engine, log, addresses: addressFilter, outbox: webhookOutbox, origin, getAccountUrl, ...facts },
    notifications: {
      engine,
      log,
      origin,
      getAccountUrl,
      ...facts,
      maxMailsPerHour: configuration.notificationsPerHour,
      hasMailServer: mail !== null,
    },
    automation,
    scim: {
      ...{ engine, identities, log, automation, parseJson, wake },
      tokens: new ScimTokens({ engine, identities, log }),
      getOrigin: (request) => getOrigin(configuration, request.raw),
      async identify(request) {
        const identity = await identify(api, request);
        return identity === "bad" ? null : identity;
      },
      resolveCaller: (request, identity) => resolveCaller(api, request, identity),
      requireAllowedNetwork: (request, account) => requireAllowedNetwork(api, request, { isSession: false }, account),
      async countCall(request, caller) {
        const { scimRateLimit, scimRateBurst } = configuration;
        const limits = { perHour: scimRateLimit, burst: scimRateBurst };
        enforceRateLimit(
          await (caller === null
            ? limiter.count(`address ${getClientAddress(configuration, request.raw)}`)
            : "token" in caller
              ? limiter.count(`SCIM token ${caller.token}`, limits)
              : limiter.count(...pickRateBucket({ limiter }, caller))),
        );
      },
    },
    exchange: {
      ...{ engine, files, log, secret: facts.secret, origin, wake, closing: false, activeJobs: new Map() },
      rowFiles: [
        buildEmailTemplatesFile(importWording, restoreWording),
        buildPeopleRolesFile(async (tx, by, target, role, mode) =>
          saveRoles({ engine, by, accounts: await identities.getAccounts() }, tx, target, [role], mode),
        ),
        organizationsTimeAllocationsFile,
        buildCustomViewsFile(saveSharedView, restoreSharedView),
      ],
      async loadCaller({ person: id, account, language, source, changeOrigin }) {
        const person = await identities.person(id);
        const settings = { language, source, changeOrigin, customFieldsAsArray: false, origin: origin() };
        return person === null ? null : loadCallerInAccount({ engine, identities }, person, account, settings);
      },
    },
    inbox: {
      ...{ engine, log, files, wake, domain: facts.domain, settings: configuration.inboundMail },
      ownSender: mail?.from ?? null,
    },
  };
}

/** Emails never use the host name of a request: a client could choose it. */
function buildOwnOrigin({ publicUrl, tls, host, port }: Configuration, listeningPort = port): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return publicUrl ?? `${tls === null ? "http" : "https"}://${name}:${listeningPort}`;
}
