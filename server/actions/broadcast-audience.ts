import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { audience as audienceShape } from "../../records/answers/audiences.ts";
import { enumerations } from "../../records/enumerations/index.ts";
import { Forbidden, Invalid } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { parseIds, parseRecords, parseWord } from "../database/rows.ts";
import { hasAnyGrant } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { list } from "../engine/list.ts";
import type { Clause } from "../engine/sql/clauses.ts";
import type { Body } from "../engine/write/input.ts";
import type { Statement } from "../postgres/connection.ts";
import {
  type Audience,
  type AudienceList,
  audienceLists,
  isInAudience,
  type Visibility,
  visibilitiesByList,
} from "../rules/communication/broadcast-audience.ts";

// How many people a broadcast reaches, and whom, by the rule that shows it to them.

const sampleSize = 20;
/** people seen in the last minutes are online: a session is marked once a minute */
const onlineMinutes = 5;
const maxListed = 1000;

type AudienceReport = AnswerOf<typeof audienceShape>;

const countStatements = new Map<string, Statement>();

export const loadAudience = (engine: Engine, by: Caller, audience: Audience): Promise<AudienceReport> =>
  countPeople(engine, by, isInAudience(by, audience));

const countSeen = statement(
  "SELECT count(*) FROM seen_marks WHERE record_id = $2 AND record_type = 'broadcast' AND account_id = $1",
);

/** The audience of a broadcast as it is saved, and how many people its banner was shown to. */
export async function loadAudienceOfBroadcast(
  engine: Engine,
  by: Caller,
  id: number,
  account: string,
): Promise<AudienceReport> {
  const [report, [row]] = await Promise.all([
    loadSavedAudience(engine, id, account).then((audience) => loadAudience(engine, by, audience)),
    engine.database.read(countSeen, [account, id]),
  ]);
  return { ...report, seen: Number(row?.[0] ?? 0) };
}

/** How many people meet a condition, how many of them are online, and some of them by name. */
export async function countPeople(engine: Engine, by: Caller, clause: Clause): Promise<AudienceReport> {
  let count = countStatements.get(clause.key);
  if (count === undefined) {
    let placeholders = 0;
    const condition = clause.sql("reader", () => `$${++placeholders}`);
    const since = `$${placeholders + 1}`;
    count = statement(
      `SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM sessions o WHERE o.person_id = reader.id AND o.last_seen_at > ${since}))
FROM people reader WHERE ${condition}`,
    );
    countStatements.set(clause.key, count);
  }
  const since = new Date(by.now.getTime() - onlineMinutes * 60_000).toISOString();
  const [[row], sample] = await Promise.all([
    engine.database.read(count, [...clause.values, since]),
    loadSample(engine, by, clause),
  ]);
  return { count: Number(row?.[0] ?? 0), online: Number(row?.[1] ?? 0), sample };
}

/** The first people by name, as far as the caller may read people at all. */
async function loadSample(engine: Engine, by: Caller, clause: Clause): Promise<AudienceReport["sample"]> {
  const type = engine.types.get("person");
  if (!hasAnyGrant(type, "read", by)) return [];
  const page = { sort: "name", perPage: sampleSize, page: null, after: null, before: null };
  const query = { ...page, views: [], filters: [], fields: ["name", "organization", "site"] };
  const { records } = await list(engine, by, type, query, { clause, rights: "own" });
  return parseRecords<AudienceReport["sample"][number]>(records);
}

/** Only those who write broadcasts ask whom they reach. */
export function requireBroadcaster(engine: Engine, by: Caller): void {
  const type = engine.types.get("broadcast");
  if (!hasAnyGrant(type, "update", by) && !hasAnyGrant(type, "create", by)) throw new Forbidden();
}

const visibilities: readonly Visibility[] = enumerations["broadcast.visibility"];
const isVisibility = (value: unknown): value is Visibility => visibilities.some((each) => each === value);

/** The audience that a body describes; lists are ids, or records with an id. */
export function parseAudience({ members: body }: Body): Audience {
  const visibility = body.visibility ?? "all_of_account";
  if (!isVisibility(visibility)) throw new Invalid([["visibility", "is not valid"]]);
  const lists: Partial<Record<AudienceList, readonly number[]>> = {};
  for (const name of audienceLists.filter((each) => visibilitiesByList[each].includes(visibility))) {
    const given = body[`${name.replace(/s$/, "")}_ids`] ?? body[name] ?? [];
    lists[name] = parseIdList(name, given);
  }
  return { visibility, ...lists };
}

/** Ids, or records with an id. */
export function parseIdList(name: string, given: unknown): number[] {
  const ids = Array.isArray(given) && given.length <= maxListed ? given.map(parseId) : [null];
  return ids.map((id) => {
    if (id === null) throw new Invalid([[name, "is not valid"]]);
    return id;
  });
}

export function parseId(value: unknown): number | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : value;
  return typeof id === "number" && Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : null;
}

const selectLists = audienceLists
  .map((name) => {
    const column = `${name.replace(/s$/, "")}_id`.replace("customer_id", "organization_id");
    return `(SELECT json_agg(l.${column}) FROM broadcast_${name} l WHERE l.broadcast_id = b.id AND l.account_id = b.account_id)`;
  })
  .join(", ");
const selectAudience = statement(
  `SELECT b.visibility, ${selectLists} FROM broadcasts b WHERE b.id = $1 AND b.account_id = $2`,
);

/** The audience of a broadcast as it is saved. */
async function loadSavedAudience(engine: Engine, id: number, account: string): Promise<Audience> {
  const [row = []] = await engine.database.read(selectAudience, [id, account]);
  const [visibility, ...lists] = row;
  return {
    visibility: parseWord(visibilities, visibility),
    ...Object.fromEntries(audienceLists.map((name, at) => [name, parseIds(lists[at])])),
  };
}
