import type { Clock } from "../base/clock.ts";
import { describeError, type Log } from "../base/log.ts";
import { accessChannel } from "../database/access-changes/access-changes.ts";
import { type Database, statement } from "../database/database.ts";
import { PgListener } from "../database/pg-listener.ts";
import {
  type Account,
  accountColumns,
  type Person,
  parseAccount,
  parsePerson,
  personColumns,
} from "../engine/caller.ts";
import { type SignInPolicy, signInPolicies } from "./policy/policy-members.ts";
import type { Scope } from "./scopes/scopes.ts";
import { hashToken, looksLikeToken } from "./tokens.ts";

// Caches the owners of tokens, the accounts and their sign-in policies. Transactions that change them notify every process, which then invalidates its
// cache; nothing is cached while the listener is disconnected. The expiry of a token is cached with it.

export type Identity = {
  tokenId: number;
  person: Person;
  scopes: readonly Scope[];
  /** milliseconds; null: until it is deleted */
  expiresAt: number | null;
  /** exchanged for the session of a browser */
  isSession: boolean;
  /** the names of the token, and of the application that got it */
  token: string;
  application: string | null;
};

/** Limits how often one client may ask the database for tokens that do not exist. */
export type LookupAllowance = {
  /** throws when the client has used up its look-ups */
  take(): void;
  giveBack(): void;
};

const maxKnownTokens = 10_000;
const activePerson = "NOT p.disabled AND p.life_cycle = 'active'";

// A session may end before a token that was exchanged for it: the earliest end counts.
const byToken = statement(
  `SELECT ${personColumns}, t.id, t.scopes, extract(epoch FROM least(t.expires_at, s.expires_at, s.idle_expires_at)) * 1000, t.session_id, t.name, a.name
FROM tokens t JOIN people p ON p.id = t.person_id
LEFT JOIN oauth_applications a ON a.id = t.application_id
LEFT JOIN oauth_clients c ON c.id = t.client_id
LEFT JOIN sessions s ON s.id = t.session_id
WHERE t.secret_hash = $1 AND t.kind IN ('personal', 'access') AND ${activePerson}
  AND a.disabled IS NOT TRUE AND c.disabled IS NOT TRUE`,
);
const byId = statement(`SELECT ${personColumns} FROM people p WHERE p.id = $1 AND ${activePerson}`);
const allAccounts = statement(`SELECT ${accountColumns} FROM accounts`);
const touch = statement(
  "UPDATE tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')",
);

// Like a call with the cookie, a call with the token counts as use of the session.
const touchSession = statement(
  `UPDATE sessions SET last_seen_at = $2, idle_expires_at = $2::timestamptz + (idle_expires_at - last_seen_at)
WHERE id = (SELECT session_id FROM tokens WHERE id = $1) AND idle_expires_at > $2 AND last_seen_at < $2::timestamptz - interval '1 minute'`,
);

export class Identities {
  private readonly database: Database;
  private readonly log: Log;
  private readonly clock: Clock;
  private cachedIdentities = new Map<string, Identity>();
  /** hashes of tokens that were valid once: their owners never wait because of strangers who guess at the same address */
  private readonly knownTokens = new Set<string>();
  private accountMap: Promise<Map<string, Account>> | null = null;
  private accountNames = new Map<string, string>();
  private policies: Promise<Map<string, SignInPolicy>> | null = null;
  readonly pgListener: PgListener;
  private epoch = 0;
  private readonly lastUseTimes = new Map<number, number>();

  constructor(database: Database, log: Log, clock: Clock) {
    this.database = database;
    this.log = log;
    this.clock = clock;
    this.pgListener = new PgListener(database.url);
    this.pgListener.subscribe(accessChannel, () => this.invalidate());
  }

  /** The person behind a bearer token, or null. Only tokens that are not known to this process use the allowance. */
  async identify(token: string, allowance: LookupAllowance | null = null): Promise<Identity | null> {
    if (!looksLikeToken(token)) return null;
    const hash = hashToken(token);
    const cached = this.cachedIdentities.get(hash);
    if (cached !== undefined) return this.unlessExpired(cached);
    const epoch = this.epoch;
    const identity = await (this.knownTokens.has(hash)
      ? this.loadIdentity(hash)
      : this.loadUnknownIdentity(hash, allowance));
    // A change may have been notified during the query: such a result must not be cached.
    if (identity !== null && this.pgListener.isConnected && epoch === this.epoch) {
      if (this.cachedIdentities.size > 10_000) this.cachedIdentities.clear();
      this.cachedIdentities.set(hash, identity);
    }
    return identity === null ? null : this.unlessExpired(identity);
  }

  private unlessExpired(identity: Identity): Identity | null {
    return identity.expiresAt === null || this.clock.now().getTime() < identity.expiresAt ? identity : null;
  }

  private async loadUnknownIdentity(hash: string, allowance: LookupAllowance | null): Promise<Identity | null> {
    allowance?.take();
    let isGuess = false;
    try {
      const identity = await this.loadIdentity(hash);
      isGuess = identity === null;
      if (identity !== null) {
        if (this.knownTokens.size >= maxKnownTokens) this.knownTokens.clear();
        this.knownTokens.add(hash);
      }
      return identity;
    } finally {
      if (!isGuess) allowance?.giveBack();
    }
  }

  private async loadIdentity(hash: string): Promise<Identity | null> {
    const [row] = await this.database.read(byToken, [hash]);
    if (row === undefined) return null;
    return {
      tokenId: Number(row[8]),
      scopes: JSON.parse(row[9] as string) as Scope[],
      expiresAt: row[10] == null ? null : Number(row[10]),
      isSession: row[11] != null,
      token: row[12] as string,
      application: row[13] ?? null,
      person: parsePerson(row),
    };
  }

  /** A person who may sign in; not cached. */
  async person(id: number): Promise<Person | null> {
    const [row] = await this.database.read(byId, [id]);
    return row === undefined ? null : parsePerson(row);
  }

  /** For responses that show records of other accounts. Synchronous: every request has loaded the accounts before. */
  getAccountName(id: string): string {
    return this.accountNames.get(id) ?? id;
  }

  /** All accounts by id. There are few, and every request needs one. */
  getAccounts(): Promise<Map<string, Account>> {
    if (this.accountMap !== null) return this.accountMap;
    const loading = this.loadAccounts();
    if (this.pgListener.isConnected) {
      this.accountMap = loading;
      loading.catch(() => this.invalidate());
    }
    return loading;
  }

  private async loadAccounts(): Promise<Map<string, Account>> {
    const rows = await this.database.read(allAccounts);
    this.accountNames = new Map(rows.map((row) => [row[0] as string, row[1] as string]));
    return new Map(rows.map((row) => [row[0] as string, parseAccount(row)]));
  }

  /** How the people of an account sign in, and from where it may be used. Most accounts have no row. */
  async getPolicy(account: string): Promise<SignInPolicy> {
    let loading = this.policies;
    if (loading === null) {
      loading = signInPolicies.loadAll({ query: (query, values) => this.database.read(query, values) });
      if (this.pgListener.isConnected) {
        this.policies = loading;
        loading.catch(() => this.invalidate());
      }
    }
    return (await loading).get(account) ?? signInPolicies.defaults;
  }

  /** Stores that a token was used, and the session that it belongs to, once a minute at most. */
  recordTokenUse({ tokenId, isSession }: Pick<Identity, "tokenId" | "isSession">, now: Date): void {
    const last = this.lastUseTimes.get(tokenId) ?? 0;
    if (now.getTime() - last < 60_000) return;
    this.lastUseTimes.set(tokenId, now.getTime());
    for (const query of isSession ? [touch, touchSession] : [touch])
      this.database
        .change(query, [tokenId, now.toISOString()])
        .catch((error) => this.log.error("last use of a token could not be noted", describeError(error)));
  }

  invalidate(): void {
    this.epoch++;
    this.cachedIdentities = new Map();
    this.accountMap = null;
    this.policies = null;
  }

  /** Starts the listener; until it is connected, nothing is cached. */
  listen(): Promise<void> {
    return this.pgListener.listen();
  }

  close(): Promise<void> {
    return this.pgListener.close();
  }
}
