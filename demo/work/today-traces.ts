import { putKeptItem } from "../../server/actions/kept-items.ts";
import { statement } from "../../server/database/database.ts";
import { storePageNotifications } from "../../server/notifications/page-notifications.ts";
import type { Timeline } from "./timeline.ts";

// People's traces in the pages: notifications, seen marks, and pinned views.

const account = "quillhaven-it";

/** those at sign-in who have a desk */
export type PersonAtWork = "soren" | "ines";

const triggers = {
  mention: "new_mention",
  assignment: "member_assignment",
  answer: "new_note",
  approval: "approver_assignment",
} as const;
export type PageNotificationKind = keyof typeof triggers;

type Telling = {
  person: string;
  kind: PageNotificationKind;
  type: "request" | "task";
  record: number;
  note: number | null;
  by: string;
  at: Date;
};

const tellings = new WeakMap<Timeline, Telling[]>();

/** No emails are sent while the company is loaded, and neither are their page notifications. */
export function notifyInPage(time: Timeline, telling: Telling): void {
  tellings.set(time, [...(tellings.get(time) ?? []), telling]);
}

/** In the order of time: the bell lists what was stored last first. */
export function storeNotifications(time: Timeline): void {
  const inOrder = [...(tellings.get(time) ?? [])].sort((one, other) => one.at.getTime() - other.at.getTime());
  for (const { person, kind, type, record, note, by, at } of inOrder) {
    const told = { account, person: time.getId("person", person), by: time.getId("person", by) };
    const trigger = `${type}/${triggers[kind]}`;
    storePageNotifications(time.loader.tx, [{ ...told, kind, trigger, type, record, note }], at);
  }
}

const markOwn = buildMark("member_id = $2");
const markOfTeams = buildMark("team_id = ANY($5::integer[])");

function buildMark(condition: string) {
  return statement(
    `INSERT INTO seen_marks (account_id, person_id, record_type, record_id, revision, seen_at)
SELECT $1::text, $2::integer, 'request', id, revision, $3::timestamptz FROM requests
WHERE account_id = $1 AND life_cycle = 'active' AND status NOT IN ('completed') AND ${condition} AND NOT id = ANY($4::integer[])
ON CONFLICT DO NOTHING`,
  );
}

/** The person has seen the open requests of the own desk and teams, but for some. */
export async function rememberAsSeen(time: Timeline, person: PersonAtWork, unread: readonly number[]): Promise<void> {
  const values = [account, time.getId("person", person), time.now.toISOString(), unread];
  await time.loader.tx.query(markOwn, values);
  const teams = person === "soren" ? ["networks", "identity"] : ["security"];
  await time.loader.tx.query(markOfTeams, [...values, teams.map((name) => time.getId("team", name))]);
}

/** As the pages write it: by name, and encoded. */
const buildQuery = (parts: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(parts).sort(([one], [other]) => one.localeCompare(other))).toString();

/** Views of the team and of the account, and those that the specialist pinned. */
export async function pinViews(time: Timeline): Promise<void> {
  const networks = time.getId("team", "networks");
  const context = { database: time.loader.engine.database, clock: { now: () => time.now } };
  const caller = async (name: string) => {
    const { me } = await time.loader.getCaller(name, account, time.now);
    return { person: me, account };
  };
  const [soren, ines] = [await caller("soren"), await caller("ines")];
  const collection = "requests";
  const ofTeam = {
    key: "requests.networks-next-target",
    query: buildQuery({ team: String(networks), status: "!completed", sort: "next_target_at" }),
  };
  const major = {
    key: "requests.major-incidents",
    query: buildQuery({ major_incident_status: "accepted", sort: "-created_at" }),
  };
  const own = { key: "requests.wireless", query: buildQuery({ q: "wireless", sort: "-created_at" }) };
  const put = (by: typeof soren, kind: string, key: string, owner: string, value: Record<string, unknown>) =>
    putKeptItem(context, by, kind, key, { owner, value });
  const views = [
    { ...ofTeam, name: "Networks: next target", by: soren, owner: `team:${networks}` },
    { ...major, name: "Major incidents", by: ines, owner: "account" },
    { ...own, name: "Wireless", by: soren, owner: "me" },
  ];
  for (const [position, { key, query, name, by, owner }] of views.entries()) {
    await put(by, "view", key, owner, { name, collection, query });
    const path = `/a/${account}/${collection}?${query}&view=${key}`;
    await put(soren, "pin", path.slice(0, 200), "me", { label: name, path, position });
  }
}
