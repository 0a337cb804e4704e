import { isAdministrator } from "../../engine/access.ts";
import type { Change } from "../../engine/rules.ts";
import { type Row, statement } from "../../storage/database.ts";
import { notifyPeople } from "../communication/notify.ts";

// Major incidents: MI1 to MI11.

const selectMajorIncidentManagers = statement(
  `WITH named AS (
  SELECT DISTINCT m.person_id FROM flsas f JOIN flsa_major_incident_managers m ON m.flsa_id = f.id
  WHERE f.account_id = $1 AND f.status = 'active'
), meant AS (
  SELECT person_id FROM named
  UNION SELECT person_id FROM permissions WHERE account_id = $1 AND role = 'service_desk_manager' AND NOT EXISTS (SELECT 1 FROM named)
) SELECT p.id FROM meant JOIN people p ON p.id = meant.person_id WHERE NOT p.disabled ORDER BY p.id`,
);

type RequiredRole = "specialist" | "manager" | "administrator";
type Transition = {
  to: string | null;
  from: readonly (string | null)[] | "any";
  who: RequiredRole;
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

function isAllowedTransition({ before, after, by, account }: Change, managers: readonly Row[]): boolean {
  const [from, to] = [before?.major_incident_status ?? null, after.major_incident_status ?? null];
  const move = transitions.find(
    (each) => each.to === to && (each.from === "any" || each.from.includes(from as string)),
  );
  if (move === undefined) return false;
  const isOpen = after.status !== "completed";
  const isMajor = after.category === "incident" && after.impact === "top" && isOpen && managers.length > 0;
  if ((move.isMajor && !isMajor) || (move.isOpen && !isOpen)) return false;
  if (move.who === "manager") return managers.some(([id]) => Number(id) === by.person);
  if (move.who === "administrator") return isAdministrator(by, account);
  return by.roles.has("specialist") || isAdministrator(by, account);
}

/** Part of `check`, once the status is settled. */
export async function checkMajorIncident(change: Change): Promise<void> {
  const { tx, account, before, after, changed, problem } = change;
  if (changed.has("major_incident_status")) {
    const managers = await tx.query(selectMajorIncidentManagers, [account]);
    if (!isAllowedTransition(change, managers)) return problem("major_incident_status", "is not valid");
    change.runAfterSave(() => notifyManagers(change, managers));
  } else if (after.status === "completed" && before?.major_incident_status === "accepted") {
    after.major_incident_status = "resolved"; // MI8
    change.runAfterSave(async () => notifyManagers(change, await tx.query(selectMajorIncidentManagers, [account])));
  }
}

/** Every manager hears of it, whatever else they want to hear of. */
async function notifyManagers(change: Change, managers: readonly Row[]): Promise<void> {
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
  const people = managers.map(([person]) => Number(person));
  notifyPeople(change, "request/major_incident_status_changed", { people });
}
