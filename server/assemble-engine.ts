import { register as recordTypes } from "../records/index.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { startRules } from "./automation/change-listener.ts";
import { RuleCache } from "./automation/rule-cache.ts";
import { buildRuleHooks, combineHooks } from "./automation/rule-hooks.ts";
import { findWebhookByName, type WebhookCaller } from "./automation/webhook-caller.ts";
import { buildAccountUrl } from "./base/account-url.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import type { Configuration } from "./base/configuration.ts";
import type { Log } from "./base/log.ts";
import { type ConnectionCounts, Database } from "./database/database.ts";
import { loadInstanceFacts } from "./database/instance-facts.ts";
import type { Engine } from "./engine/engine.ts";
import { KnownTotals } from "./engine/read/known-totals.ts";
import { Serializer } from "./engine/read/serializer.ts";
import { Rules, type TypeRules } from "./engine/rules.ts";
import { StatementCache } from "./engine/sql/statement-cache.ts";
import { Types } from "./engine/types.ts";
import { createFileStore, type FileStore, signDownload } from "./files/index.ts";
import { announceAfterCommit } from "./live/commit-listener.ts";
import { queueNotifications } from "./notifications/change-listener.ts";
import { Identities } from "./oauth/identities.ts";
import { watchAccounts, watchPeople } from "./oauth/watch-access.ts";
import { buildShortUrlRules } from "./rules/asset/short-url.ts";
import { recalculateRatingOnDelete } from "./rules/communication/survey.ts";
import { typeRules } from "./rules/index.ts";
import { buildAccountRules } from "./rules/people/account.ts";
import { getAgreementCache, invalidateAgreementsOnChange } from "./rules/sla/agreement-cache.ts";
import { scheduleRecurrencesOnChange } from "./rules/time/recurrence.ts";
import { refuseDeletingLockedTimeEntry } from "./rules/time/time-entry.ts";
import { reprocessOnRuleChange } from "./scim/people/reprocess.ts";
import { planTimers } from "./timers/plan-timers.ts";
import { AddressFilter, parseRanges } from "./webhooks/address-filter.ts";
import { callWebhook } from "./webhooks/call-webhook.ts";
import { WebhookOutbox } from "./webhooks/outbox.ts";
import { webhookRules } from "./webhooks/rules.ts";

// Assembles everything below HTTP. The command line needs no more than this.

export type EngineOptions = {
  configuration: Configuration;
  /** of a database with the newest schema */
  databaseUrl: string;
  log: Log;
  clock?: Clock;
  /** record types and rules of tests */
  types?: readonly RecordType[];
  rules?: Readonly<Record<string, TypeRules>>;
  /** how many are opened at most; tests need few, and the database plans every statement once for each of them */
  connections?: Partial<ConnectionCounts>;
  /** name servers of tests */
  nameServers?: readonly string[];
};

/** Connects modules that are assembled earlier with the worker and the server, which exist later. */
export type LateBindings = {
  wakeWorker(): void;
  /** changes were committed */
  announceCommit(): void;
  getPort(): number | undefined;
};

export type EngineAssembly = {
  engine: Engine;
  files: FileStore;
  identities: Identities;
  /** how automation rules call webhooks */
  webhookCaller: WebhookCaller;
  facts: Awaited<ReturnType<typeof loadInstanceFacts>>;
  addressFilter: AddressFilter;
  webhookOutbox: WebhookOutbox;
  lateBindings: LateBindings;
};

export async function assembleEngine(options: EngineOptions): Promise<EngineAssembly> {
  const { configuration, log, clock = systemClock } = options;
  const database = new Database(options.databaseUrl, options.connections, configuration.replicaUrls);
  const facts = await loadInstanceFacts(database, configuration);
  const files = createFileStore(configuration);
  const webhookOutbox = new WebhookOutbox();
  const addressFilter = new AddressFilter(parseRanges(configuration.webhookAllow), options.nameServers);
  const webhookCaller: WebhookCaller = {
    findByName: findWebhookByName,
    call: (tx, webhook, call, now) => callWebhook(tx, webhookOutbox, webhook, call, now),
  };
  const lateBindings: LateBindings = { wakeWorker: () => {}, announceCommit: () => {}, getPort: () => undefined };
  const identities = new Identities(database, log, clock);
  const buildUrl = (origin: string, account: string) => buildAccountUrl(configuration, origin, account);
  const rules = new Rules({
    ...typeRules,
    account: buildAccountRules(buildUrl),
    short_url: buildShortUrlRules(buildUrl),
    ...webhookRules({ secret: facts.secret, addresses: addressFilter, outbox: webhookOutbox }),
    ...addAutomationHooks(() => types, webhookCaller),
    ...options.rules,
  });
  const types: Types = new Types([...recordTypes, ...(options.types ?? [])], rules);
  getAgreementCache(database).subscribe(identities.pgListener);
  const ruleCache = new RuleCache(database, identities.pgListener);
  const engine: Engine = {
    database,
    clock,
    types,
    rules,
    serializer: buildSerializer(types, rules, identities, facts),
    statements: new StatementCache(),
    totals: new KnownTotals(),
    outbox: webhookOutbox,
    ...(files.direct === null ? {} : { findUploadedFile: (key: string) => files.getSize(key) }),
    listeners: [
      watchAccounts(identities),
      watchPeople(identities, () => clock.now()),
      recalculateRatingOnDelete,
      refuseDeletingLockedTimeEntry,
      planTimers,
      scheduleRecurrencesOnChange,
      invalidateAgreementsOnChange,
      queueNotifications(clock),
      startRules(ruleCache, clock, () => lateBindings.wakeWorker()),
      reprocessOnRuleChange(clock),
      announceAfterCommit(() => lateBindings.announceCommit()),
    ],
  };
  return { engine, files, identities, webhookCaller, facts, addressFilter, webhookOutbox, lateBindings };
}

/** The hooks that compile automation rules need the types, which need the rules: types are read when a hook runs. */
const addAutomationHooks = (getTypes: () => Types, webhookCaller: WebhookCaller): Record<string, TypeRules> =>
  Object.fromEntries(
    Object.entries(buildRuleHooks(getTypes, webhookCaller)).map(([type, hooks]) => [
      type,
      combineHooks(typeRules[type] ?? {}, hooks),
    ]),
  );

const buildSerializer = (
  types: Types,
  rules: Rules,
  identities: Identities,
  { domain, secret }: EngineAssembly["facts"],
): Serializer =>
  new Serializer(types, rules, {
    domain,
    accountName: (id) => identities.getAccountName(id),
    signedUri: (key, viewer) => {
      const signature = signDownload({ secret, key, now: viewer.now });
      return `${viewer.origin}/${key.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams(signature)}`;
    },
  });
