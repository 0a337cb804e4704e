import { Readable } from "node:stream";
import { grantRoles } from "../../server/actions/accounts/grant-roles.ts";
import { queueBulkChange } from "../../server/actions/bulk-changes/queue-bulk-change.ts";
import { statement } from "../../server/database/database.ts";
import { queueImport } from "../../server/exchange/import/imports.ts";
import { createApplicationWithClientPair } from "../../server/oauth/applications/create-with-client-pair.ts";
import { signIns } from "../data/accounts.ts";
import { buildExchange } from "../loader/past-jobs.ts";
import { addMinutes, isWeekend, nextWorkingMoment, type Timeline } from "./timeline.ts";

// The work of administrators and managers besides requests: rules, imports, bulk changes, agreements, roles. Imports and
// bulk changes are queued as by a call, and run by the jobs of the service.

const account = "quillhaven-it";

/** The name that the system of the personnel department has here. */
const hrSystem = "hr-import";

type Technician = readonly [name: string, email: string, organization: string, title: string, site: string];

// biome-ignore format: a table keeps its columns
const lastWeek: readonly Technician[] = [
  ["Lena Vogt",       "lena.vogt@halyard.example",          "Halyard Telecom",              "Line Engineer",      "Eindhoven Campus"],
  ["Ansel Pryor",     "ansel.pryor@halyard.example",        "Halyard Telecom",              "Line Engineer",      "London Office"],
  ["Ilse Kramer",     "ilse.kramer@parchment-pixel.example", "Parchment and Pixel Printers", "Printer Technician", "Eindhoven Campus"],
  ["Marcus Bell",     "marcus.bell@parchment-pixel.example", "Parchment and Pixel Printers", "Printer Technician", "London Office"],
  ["Rosa Ingram",     "rosa.ingram@parchment-pixel.example", "Parchment and Pixel Printers", "Account Manager",    "Eindhoven Campus"],
];
/** The file of this week has the people of last week, one of them promoted, and two more. */
// biome-ignore format: a table keeps its columns
const thisWeek: readonly Technician[] = [
  ...lastWeek.map((one): Technician => one[0] === "Ansel Pryor" ? [one[0], one[1], one[2], "Senior Line Engineer", one[4]] : one),
  ["Piet Dekkers",    "piet.dekkers@halyard.example",       "Halyard Telecom",              "Project Engineer",   "Eindhoven Campus"],
  ["Sanna Lehto",     "sanna.lehto@halyard.example",        "Halyard Telecom",              "Line Engineer",      "Kobe Works"],
];
export const importedPeople = new Set(thisWeek.map(([name]) => name));

// biome-ignore format: a table keeps its columns
const rules = {
  major: {
    name: "Propose a major incident", trigger: "on team update", generic: "request", position: 1,
    description: "Proposes incidents with top impact that are assigned to Networks as major incidents, for review by the major incident managers.",
    expressions: "critical: category = incident and impact = top\nnetworks: team.name = 'Networks'",
    condition: "critical and networks and !major_incident_status",
    actions: "a1: set major_incident_status = proposed",
  },
  board: {
    name: "Mark requests from VIPs as urgent", trigger: "on create", generic: "request", position: 2,
    expressions: "who: requested_for",
    condition: "who.vip and !urgent",
    actions: "a1: set urgent = true",
  },
  photo: {
    name: "Ask for a photo of printer errors", trigger: "on create", generic: "request", position: 3, disabled: true,
    expressions: "printing: service_instance.service.name = 'Printing'",
    condition: "printing and category = incident",
    actions: "a1: add note 'A photo of the display would help. Just reply to this email with it attached.'",
  },
};

/** The latest working day on which that time has passed. */
function lastTime(now: Date, hour: number, minute: number, daysBefore = 0): Date {
  const at = addMinutes(now, -daysBefore * 1440);
  at.setUTCHours(hour, minute, 0, 0);
  while (at > now || isWeekend(at)) at.setUTCDate(at.getUTCDate() - 1);
  return at;
}

export function planAdministration(time: Timeline): void {
  const { now } = time;
  planRules(time);
  const created = nextWorkingMoment(addMinutes(now, -60 * 1440));
  time.plan(created, hrSystem, async () => {
    const { email: person } = signIns[0];
    const application = { account, name: hrSystem, redirectUris: [], person, scopes: "person:*,import:Create" };
    await createApplicationWithClientPair(time.loader.engineAt(created), {
      ...application,
      grant: "client_credentials",
    });
  });
  planImport(time, lastTime(now, 6, 30, 7), lastWeek);
  planImport(time, lastTime(now, 6, 30), thisWeek);
  planReview(time, lastTime(now, 13, 3, 1));
  const extended = lastTime(now, 7, 12);
  time.plan(extended, "agreement", async () => {
    const expiry_date = new Date(now.getTime() + 706 * 86_400_000).toISOString().slice(0, 10);
    const sla = time.getId("sla", "network-america");
    await time.update({ who: "freya", at: extended, account }, "sla", sla, { expiry_date });
  });
  const granted = lastTime(now, 16, 5, 1);
  time.plan(granted, "role", async () => {
    const { loader } = time;
    const by = await loader.getCaller("ines", account, granted);
    const role = { person: time.getId("person", "luca"), account, roles: ["knowledge_manager"] };
    await grantRoles(loader.engineAt(granted), loader.tx, by, role);
  });
}

function planRules(time: Timeline): void {
  const at = nextWorkingMoment(addMinutes(time.now, -6 * 1440));
  let switchedOn = 0;
  time.plan(at, "automation rules", async () => {
    const actor = { who: "ines", at, account };
    await time.create(actor, "automation_rule", rules.major);
    await time.create(actor, "automation_rule", rules.board);
    switchedOn = await time.create(actor, "automation_rule", rules.photo);
  });
  const enabled = addMinutes(time.now, -31);
  time.plan(enabled, "automation rules", () =>
    time.update({ who: "ines", at: enabled, account }, "automation_rule", switchedOn, { disabled: false }),
  );
}

/** The technicians of suppliers come from the system of the personnel department. */
function planImport(time: Timeline, at: Date, people: readonly Technician[]): void {
  const header = ["Name", "Primary Email", "Organization", "Job Title", "Site"];
  const text = [header, ...people].map((cells) => `${cells.join(",")}\n`).join("");
  time.plan(at, "import of people", async () => {
    const by = await time.loader.getCaller("ines", account, at);
    const caller = { ...by, source: hrSystem, changeOrigin: { kind: "api" as const, application: hrSystem } };
    const file = { stream: Readable.from([Buffer.from(text)]), name: "technicians.csv" };
    const options = { word: "people", suppressEvents: false, dryRun: false, mapping: null, corrections: null };
    await queueImport(buildExchange(time.loader, at), caller, file, () => options);
  });
}

const selectUnreviewed = statement(
  `SELECT r.id FROM requests r JOIN service_instances i ON i.id = r.service_instance_id JOIN services s ON s.id = i.service_id
WHERE r.account_id = $1 AND r.status = 'completed' AND NOT r.reviewed AND s.problem_manager_id = $2 ORDER BY r.id DESC LIMIT 9`,
);

/** The problem manager reviews recently completed requests, and marks all of them in one call. */
function planReview(time: Timeline, at: Date): void {
  time.plan(at, "review", async () => {
    const { loader } = time;
    const by = await loader.getCaller("paloma", account, at);
    const found = await loader.tx.query(selectUnreviewed, [account, by.person]);
    const order = { type: loader.engine.types.get("request"), ids: found.map(([id]) => Number(id)) };
    await queueBulkChange(buildExchange(loader, at), by, {
      ...order,
      change: { reviewed: true },
      links: {},
      note: null,
    });
  });
}
