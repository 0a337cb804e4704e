import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import type { request } from "../../../records/work/request.ts";
import { statement } from "../../database/database.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Change } from "../../engine/rules.ts";
import { notifyPeople } from "../communication/notify.ts";

// Major incidents: MI1 to MI11.

type RequestChange = Change<typeof request>;
type MajorIncidentStatus = EnumerationValue<"request.major_incident_status">;

const selectMajorIncidentManagers = statement(
  `WITH named AS (
  SELECT DISTINCT m.person_id FROM flsas f JOIN flsa_major_incident_managers m ON m.flsa_id = f.id
  WHERE f.account_id = $1 AND f.status = 'active'
), meant AS (
  SELECT person_id FROM named
  UNION SELECT person_id FROM permissions WHERE account_id = $1 AND role = 'service_desk_manager' AND NOT EXISTS (SELECT 1 FROM named)
) SELECT p.id FROM meant JOIN people p ON p.id = meant.person_id WHERE NOT p.disabled ORDER BY p.id`,
);

/** MI11 */
const loadManagers = async ({ tx, account }: RequestChange): Promise<number[]> =>
  (await tx.query(selectMajorIncidentManagers, [account])).map(([person]) => Number(person));

type RequiredRole = "specialist" | "manager" | "administrator";
type Transition = {
  to: MajorIncidentStatus | null;
  from: readonly (MajorIncidentStatus | null)[] | "any";
  who: RequiredRole;
  /** only an open incident of top impact, in an account with major incident managers */
  isMajor?: true;
  isOpen?: true;
};

// biome-ignore format: a table keeps its columns
const transitions: readonly Transition[] = [
  { from: [null, "rejected", "canceled"], to: "proposed", who: "specialist", isMajor: true }, // MI1
  { from: ["proposed"],                   to: "rejected", who: "manager" },                   // MI2
  { from: ["proposed"],                   to: "accepted", who: "manager" },                   // MI3
  { from: [null],                         to: "accepted", who: "manager", isMajor: true },    // MI4
  { from: ["accepted"],                   to: "resolved", who: "manager" },                   // MI5
  { from: ["proposed", "accepted"],       to: "canceled", who: "manager" },                   // MI6
  { from: ["resolved"],                   to: "accepted", who: "manager", isOpen: true },     // MI7
  { from: "any",                          to: null,       who: "administrator" },             // MI9
];

function isAllowedTransition({ before, after, by, account }: RequestChange, managers: readonly number[]): boolean {
  const [from, to] = [before?.major_incident_status ?? null, after.major_incident_status];
  const transition = transitions.find((row) => row.to === to && (row.from === "any" || row.from.includes(from)));
  if (transition === undefined) return false;
  const isOpen = after.status !== "completed";
  const isMajor = after.category === "incident" && after.impact === "top" && isOpen && managers.length > 0;
  if ((transition.isMajor && !isMajor) || (transition.isOpen && !isOpen)) return false;
  if (transition.who === "manager") return managers.includes(by.person);
  if (transition.who === "administrator") return isAdministrator(by, account);
  return by.roles.has("specialist") || isAdministrator(by, account);
}

/** Runs once the status is settled: a completed request is no open major incident. */
export async function checkMajorIncident(change: RequestChange): Promise<void> {
  const { before, after, changed, problem } = change;
  if (changed.has("major_incident_status")) {
    const managers = await loadManagers(change);
    if (!isAllowedTransition(change, managers)) return problem("major_incident_status", "is not valid"); // MI10
    change.runAfterSave(() => notifyManagers(change, managers));
  } else if (after.status === "completed" && before?.major_incident_status === "accepted") {
    after.major_incident_status = "resolved"; // MI8
    change.runAfterSave(async () => notifyManagers(change, await loadManagers(change)));
  }
}

/** MI1: every manager gets an email, regardless of preferences. */
async function notifyManagers(change: RequestChange, people: readonly number[]): Promise<void> {
  const { id, by, after, create } = change;
  const status = after.major_incident_status;
  if (status === null) return;
  if (status === "proposed")
    await create("note", {
      request: id,
      text: `${by.me.name} proposed this request as a major incident.`,
      internal: true,
      medium: "system",
    });
  notifyPeople(change, "request/major_incident_status_changed", { people });
}
