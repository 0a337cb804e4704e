import { enumerations } from "../../../records/enumerations/index.ts";
import { choiceLabel, fieldLabel } from "../../../records/languages/index.ts";
import type { Moment } from "../../business-time/moment.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Explanation } from "./explanation.ts";
import { englishSteps, type StepText, stepTexts } from "./step-texts.ts";

/** The explanation as sentences, in the language and the time zone of the caller. */
export function writeSteps(explanation: Explanation, by: Caller): string[] {
  const texts = stepTexts[by.language.replace(/[-@].*$/, "")] ?? englishSteps;
  const write = (text: StepText, values: Record<string, string | number> = {}): string =>
    texts[text].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  const clock = new Intl.DateTimeFormat(by.language, { dateStyle: "medium", timeStyle: "short", timeZone: by.zone });
  const at = (moment: Moment | null): string => (moment === null ? "" : clock.format(moment));
  const { row, response, resolution } = explanation;
  const due = ({ target_at, actual_at }: Explanation["response"], done: StepText, open: StepText): string[] => {
    if (actual_at !== null) return [write(done, { at: at(actual_at) })];
    return target_at === null ? [] : [write(open, { at: at(target_at) })];
  };
  return [
    writeCoverage(explanation, write),
    writePromise(explanation, by, write),
    explanation.hours === null
      ? write("always")
      : write("hours", { hours: explanation.hours.name, zone: explanation.time_zone }),
    write("started", { at: at(row.started_at) }),
    ...explanation.changes.map((change) =>
      write("changed", {
        at: at(change.at),
        field: fieldLabel(by.language, change.field),
        from: nameValue(by, change.field, change.from),
        to: nameValue(by, change.field, change.to),
      }),
    ),
    ...explanation.stopped.map(({ from, to, minutes, reason }) =>
      to === null
        ? write("is stopped", { from: at(from), reason: write(reason) })
        : write("was stopped", { from: at(from), to: at(to), minutes, reason: write(reason) }),
    ),
    ...due(response, "responded", "respond by"),
    ...due(resolution, "resolved", "resolve by"),
  ];
}

type Write = (text: StepText, values?: Record<string, string | number>) => string;

function writeCoverage({ sla, person, via, coverage, service_instance }: Explanation, write: Write): string {
  if (coverage === "everybody" || coverage === "supplier")
    return write(coverage, { sla: sla.name, service: service_instance.name });
  return write(via === null ? "covered" : "covered via", {
    sla: sla.name,
    person: person?.name ?? "",
    via: via?.name ?? "",
  });
}

function writePromise({ offering, kind, response, resolution }: Explanation, by: Caller, write: Write): string {
  const time = ({ maximum, maximum_in_days }: Explanation["response"]): string | null =>
    maximum !== null
      ? write("minutes", { count: maximum })
      : maximum_in_days !== null && maximum_in_days > 0
        ? write("days", { count: maximum_in_days })
        : null;
  const [respond, resolve] = [time(response), time(resolution)];
  const promises = [
    respond === null ? [] : write("response", { time: respond }),
    resolve === null ? [] : write("resolution", { time: resolve }),
  ].flat();
  const values = {
    offering: offering?.name ?? "",
    kind: nameKind(kind, by, write),
    promise: promises.join(write("and")),
  };
  return write(promises.length === 0 ? "promises nothing" : "promises", values);
}

function nameKind(kind: string | null, by: Caller, write: Write): string {
  if (kind === "standard_service_request") return write(kind);
  if (kind === null) return "-";
  return nameChoice(by, "request.impact", kind) ?? nameChoice(by, "request.category", kind) ?? kind;
}

function nameChoice(by: Caller, name: "request.impact" | "request.category", value: unknown): string | null {
  const values: readonly string[] = enumerations[name];
  return typeof value === "string" && values.includes(value) ? choiceLabel(by.language, name, value) : null;
}

/** Choices by their label, records by their number. */
function nameValue(by: Caller, field: string, value: unknown): string {
  if (value === null || value === undefined) return "-";
  const label = field === "impact" || field === "category" ? nameChoice(by, `request.${field}`, value) : null;
  return label ?? String(value);
}
