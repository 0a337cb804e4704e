import { type ApiCallEntry, insertCalls, retention } from "../../server/api/http/request-log/request-log.ts";
import { statement } from "../../server/database/database.ts";
import { jsonStatement, queryRows } from "../../server/database/rows.ts";
import { createPersonalAccessToken } from "../../server/oauth/personal-access-tokens.ts";
import { signIns } from "../data/accounts.ts";
import { SeededRandom } from "../loader/seeded-random.ts";
import type { Timeline } from "./timeline.ts";

// The calls of the last days, which the service would have logged: those of browsers, derived from the audit lines, and those of
// four programs, each with its own token.

const { account, email: owner } = signIns[0];
const directory = "quillhaven";
const [minute, day] = [60_000, 86_400_000];

type PastCall = Pick<ApiCallEntry, "method" | "url" | "status"> & Partial<Pick<ApiCallEntry, "sent" | "answered">>;
type Program = {
  name: string;
  actions: readonly string[];
  address: string;
  /** how long it waits between calls, and between which hours it calls (UTC) */
  every: number;
  hours: readonly [from: number, until: number];
  /** `since`: the moment of its call before */
  call(random: SeededRandom, request: number, since: Date): PastCall;
};

const formatMoment = (at: Date): string => encodeURIComponent(`>=${at.toISOString().slice(0, 19)}Z`);
const refused: PastCall = {
  ...{ method: "POST", url: "/v1/requests", status: 422 },
  sent: JSON.stringify({ subject: "Stock of lens S3 is negative", note: "Detected by the nightly stock check." }),
  answered: JSON.stringify({ message: "Validation failed", errors: [["category", "Category can't be blank"]] }),
};
const forbidden: PastCall = {
  ...{ method: "GET", url: "/v1/contracts", status: 403 },
  answered: JSON.stringify({ message: "Forbidden" }),
};

const programs: readonly Program[] = [
  {
    name: "warehouse-sync",
    actions: ["request:*"],
    address: "10.20.4.17",
    every: 15 * minute,
    hours: [5, 19],
    call(random, request, since) {
      const changed = { method: "GET", url: `/v1/requests?updated_at=${formatMoment(since)}&per_page=100` };
      const kind = random.weighted({ changed: 60, unchanged: 25, note: 14, refused: 1 });
      if (kind === "refused") return refused;
      if (kind === "note") return { method: "POST", url: `/v1/requests/${request}/notes`, status: 201 };
      return { ...changed, status: kind === "changed" ? 200 : 304 };
    },
  },
  {
    name: "monitoring",
    actions: ["event:Create"],
    address: "10.20.4.30",
    every: 40 * minute,
    hours: [0, 24],
    call: () => ({ method: "POST", url: "/v1/events", status: 201 }),
  },
  {
    name: "label-printer",
    actions: ["ci:Read"],
    address: "10.20.9.12",
    every: 55 * minute,
    hours: [7, 16],
    call: (random) =>
      random.withProbability(0.05)
        ? forbidden
        : { method: "GET", url: `/v1/cis/${random.between(1, 90)}`, status: 200 },
  },
  {
    name: "planner",
    actions: ["workflow:Read", "sla:Read"],
    address: "10.24.2.8",
    every: 75 * minute,
    hours: [6, 18],
    call: (random) => ({
      method: "GET",
      url: random.pick(["/v1/workflows/open?per_page=100", "/v1/slas"]),
      status: 200,
    }),
  },
];

const selectTokens = jsonStatement<{ id: number; person: number; name: string }>(
  "SELECT id, person_id AS person, name FROM tokens WHERE account_id = $1 AND kind = 'personal' AND name = ANY($2::text[]) ORDER BY id",
);
const selectBrowserChanges = jsonStatement<{
  at: string;
  person: number;
  record: number;
  action: string;
  address: string;
}>(
  `SELECT created_at AS at, created_by_id AS person, record_id AS record, action, coalesce(origin ->> 'address', '10.20.1.1') AS address FROM audit_lines
WHERE account_id = $1 AND created_at > $2 AND audited = 'request' AND action IN ('create', 'update') AND created_by_id IS NOT NULL AND origin ->> 'kind' = 'browser'
ORDER BY created_at, id`,
);
const selectLastRequest = statement("SELECT max(id) FROM requests WHERE account_id = $1");

/** Plans the tokens of the programs; the function that it returns writes the log, when the work is done. */
export function planRequestLog(time: Timeline): () => Promise<void> {
  const created = new Date(time.now.getTime() - 33 * day);
  let hasTokens = false;
  time.plan(created, "tokens of programs", async () => {
    const { database, clock } = time.loader.engineAt(created);
    for (const { name, actions } of programs)
      await createPersonalAccessToken(database, clock, { email: owner, account: directory, name, actions });
    hasTokens = true;
  });
  return async () => {
    if (hasTokens) await writeLog(time); // they are not planned where the work ends earlier
  };
}

async function writeLog({ now, loader: { tx } }: Timeline): Promise<void> {
  const since = new Date(now.getTime() - retention + 30 * minute);
  const random = new SeededRandom(407);
  const tokens = await queryRows(tx, selectTokens, [directory, programs.map(({ name }) => name)]);
  const [last] = await tx.query(selectLastRequest, [account]);
  const build = (at: Date, call: PastCall, by: Pick<ApiCallEntry, "person" | "token" | "isSession" | "address">) => ({
    ...{ account, at, sent: null, answered: null, ...call, ...by },
    milliseconds: call.method === "GET" ? random.skewed(12, 120) : random.skewed(32, 240),
    requestId: random.between(36 ** 7, 36 ** 8 - 1).toString(36),
  });
  const browserCalls = (await queryRows(tx, selectBrowserChanges, [account, since.toISOString()])).map(
    ({ at, person, record, action, address }) => {
      const call =
        action === "create"
          ? { method: "POST", url: "/v1/requests", status: 201 }
          : { method: "PATCH", url: `/v1/requests/${record}`, status: 200 };
      return build(new Date(at), call, { person, token: 0, isSession: true, address });
    },
  );
  const programCalls = programs.flatMap((program) => {
    const token = tokens.find(({ name }) => name === program.name);
    if (token === undefined) return [];
    return listMoments(program, since, now, random).map((at, index, moments) => {
      const request = Number(last?.[0]) - random.between(0, 60);
      const call = program.call(random, request, moments[index - 1] ?? since);
      return build(at, call, { person: token.person, token: token.id, isSession: false, address: program.address });
    });
  });
  const entries = [...browserCalls, ...programCalls].sort((one, other) => one.at.getTime() - other.at.getTime());
  insertCalls(tx, entries);
}

/** When a program calls, not quite regularly. */
function listMoments({ every, hours: [from, until] }: Program, since: Date, now: Date, random: SeededRandom): Date[] {
  const moments: Date[] = [];
  for (let at = since; at < now; at = new Date(at.getTime() + every + random.between(0, every / 5))) {
    const hour = at.getUTCHours();
    if (hour >= from && hour < until) moments.push(at);
  }
  return moments;
}
