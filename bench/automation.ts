import { Evaluation, type EvaluationContext } from "../server/automation/language/evaluation.ts";
import { compileProgram } from "../server/automation/language/program.ts";
import {
  bagShape,
  listShape,
  plainShape,
  recordShape,
  type Schema,
  type Shape,
} from "../server/automation/language/schema.ts";
import { Choice, Day, fromJson, Moment, Reference, type Value } from "../server/automation/language/values.ts";

// Conditions of automation rules, compiled once and evaluated over and over, on one core and without the database.
// Time is processor time, so that what else runs on the machine does not count. Budget: 200,000 a second for a plain condition.

const statuses = ["declined", "assigned", "accepted", "in_progress", "waiting_for", "completed"];
const shapes: Record<string, Record<string, Shape>> = {
  request: {
    ...{
      status: plainShape,
      category: plainShape,
      impact: plainShape,
      subject: plainShape,
      created_at: plainShape,
      custom_fields: bagShape,
    },
    ...{ team: recordShape("team"), tasks: listShape(recordShape("task")) },
  },
  team: { name: plainShape },
  task: { status: plainShape, planned_effort: plainShape },
};
const schema: Schema = {
  memberShape: (type, name) => shapes[type]?.[name] ?? null,
  isSettable: () => true,
  linkableType: () => null,
  takesNotes: () => true,
  findableType: () => null,
};
const request = new Map<string, Value>([
  ["status", new Choice("in_progress", statuses)],
  ["category", new Choice("incident", ["incident", "rfc", "rfi"])],
  ["impact", new Choice("high", ["low", "medium", "high", "top"])],
  ["subject", "Printer on the second floor is offline"],
  ["created_at", new Moment(Date.UTC(2031, 1, 1))],
  ["custom_fields", fromJson({ room: "B12", size: 12 })],
  ["team", new Reference("team", 1)],
  ["tasks", Array.from({ length: 10 }, (_, id) => new Reference("task", id))],
]);
const others = new Map<string, Value>([
  ["name", "Service Desk"],
  ["status", "open"],
  ["planned_effort", 30],
]);
const world: EvaluationContext = {
  ...{ zone: "Europe/Amsterdam", locale: "en-US", clockOf24Hours: true },
  now: new Moment(Date.UTC(2031, 1, 2)),
  today: new Day("2031-02-02"),
  self: new Reference("request", 1),
  pseudo: () => null,
  field: ({ type }, name) => (type === "request" ? request : others).get(name),
  previousValue: () => new Choice("assigned", statuses),
  display: () => "Service Desk",
  find: () => null,
  search: () => [],
  create: () => null,
  targetAt: () => null,
  minutesBetween: () => 0,
};

// biome-ignore format: a table keeps its columns
const conditions: [what: string, expressions: string, condition: string][] = [
  ["status and impact",   "",                                                                  "status = in_progress and impact in [high, top]"],
  ["named expressions",   "open: status < completed\nurgent: category = incident and impact >= high\nroom: custom_fields.room", "open and urgent and room = 'B12'"],
  ["a reference, a date", "age: now - created_at",                                             "team.name = 'Service Desk' and age > 4.hours and status_was != status"],
  ["a list of ten",       "open: tasks.select(status = open)",                                 "open.count > 5 and open.sum(planned_effort) >= 300"],
  ["a regular expression", "",                                                                 "subject ~ '(?i)printer.*(off|down)'"],
];

const forever = Number.POSITIVE_INFINITY;

export function measureConditions(): string {
  const lines = ["| Condition | evaluations /s |", "|---|---|"];
  for (const [what, expressions, condition] of conditions) {
    const program = compileProgram({ expressions, condition, actions: null }, schema, "request");
    let met = 0;
    const perSecond = (count: number): number => {
      const begun = process.cpuUsage();
      for (let i = 0; i < count; i++)
        if (program.condition?.(new Evaluation(world, program.expressions, forever)) === true) met++;
      const { user, system } = process.cpuUsage(begun);
      return (count * 1_000_000) / (user + system);
    };
    perSecond(50_000); // warms up
    const reached = perSecond(200_000);
    if (met === 0) throw new Error(`"${what}" is never met`);
    lines.push(`| ${what} | ${Math.round(reached).toLocaleString("en-US")} |`);
  }
  return lines.join("\n");
}
