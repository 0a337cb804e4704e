import { expect, test } from "vitest";
import { enumerations } from "../../records/enumerations/index.ts";
import { register } from "../../records/index.ts";
import { languageCodes, loadLanguage } from "./index.ts";
import {
  choiceLabel,
  collectionLabel,
  fieldLabel,
  loadLabels,
  shortChoiceLabel,
  typeLabel,
  withWords,
} from "./labels.ts";
import { partLabel, typePurpose, viewLabel } from "./page-labels.ts";

// Codes never reach people: every choice, field, record type, part and view has a label in every language.

const code = /[a-z]_[a-z]|[a-z][A-Z]|\wIDs?\b|\bIDs\w|\([sn]\)|^(DEPRECATED|VERALTET|VEROUDERD|OBSOL)/;
/** Words that are written this way, and names of places and languages. */
const properNames =
  /\b(JavaScript|OpenID|iCal|GraphQL|LinkedIn|ServiceDesk|GitHub|OAuth|Ma?cDonald\w*|CIs|CI’s|SLA’s|RFCs|[a-zéè]+-ID|QR-Code|[Kk]onfigurations\w*)\b/gu;

/** [what, label] of everything that is named. */
function listLabels(): [string, string][] {
  const choices = Object.entries(enumerations).flatMap(([name, values]) =>
    values.flatMap((value): [string, string][] => [
      [`${name} ${value}`, choiceLabel(name, value)],
      [`${name} ${value} (short)`, shortChoiceLabel(name, value)],
    ]),
  );
  const ofFields = register.flatMap(({ fields }) =>
    Object.values(fields).flatMap((field): [string, string][] =>
      field.kind === "enum"
        ? (field.values ?? []).map((value) => [`${field.enumeration} ${value}`, choiceLabel(field.enumeration, value)])
        : [],
    ),
  );
  const types = register.flatMap((type): [string, string][] => [
    [type.name, typeLabel(type)],
    [type.collection, collectionLabel(type)],
    ...Object.keys(type.fields).map((name): [string, string] => [`field ${name}`, fieldLabel(name)]),
    ...[...Object.keys(type.children), ...Object.keys(type.links)].map((name): [string, string] => [
      `part ${name}`,
      partLabel(name, undefined),
    ]),
    ...Object.keys(type.views).map((name): [string, string] => [`view ${name}`, viewLabel(name)]),
  ]);
  return [...choices, ...ofFields, ...types];
}

test.each(languageCodes)("in %s nothing is named by a code", async (language) => {
  await loadLanguage(language);
  await Promise.all([loadLabels(language), withWords(Promise.resolve(null))]);
  const labels = listLabels();
  expect(labels.length).toBeGreaterThan(4000);
  // A time zone is its own label, as in the API.
  const named = labels.filter(([what]) => !what.startsWith("time_zone"));
  const isCode = (what: string, label: string) =>
    label === "" ||
    code.test(label.replace(properNames, "")) ||
    (/[._/-]/.test(label) && !/^[\d.]+$/.test(label) && what.endsWith(` ${label}`));
  expect(named.filter(([what, label]) => isCode(what, label))).toEqual([]);
});

test("what the table of the words asks for is there", async () => {
  await loadLanguage("en");
  await Promise.all([loadLabels("en"), withWords(Promise.resolve(null))]);
  expect([
    ...[fieldLabel("timezone"), fieldLabel("sms_body"), fieldLabel("zip"), fieldLabel("response_target_top_in_days")],
    ...[choiceLabel("countries", "IN"), choiceLabel("account.currency", "eur"), choiceLabel("language", "nl")],
    ...[choiceLabel("webhook.event", "request.note-added"), choiceLabel("webhook.event", "automation_rule")],
    choiceLabel("email_template.trigger", "request/wfc_completion"),
    ...[choiceLabel("export.format", "xlsx"), choiceLabel("workflow.status", "risk_and_impact")],
    ...[partLabel("rfc_type_activityIDs", undefined), partLabel("flsas", undefined), fieldLabel("member")],
  ]).toEqual([
    ...["Time zone", "SMS text", "Postal code", "Response target in days (top impact)"],
    ...["India", "EUR", "Nederlands", "Request: note added", "Automation rule", "Request: Closed without a reply"],
    ...["Microsoft Excel (.xlsx)", "Risk & impact", "RFC type activity IDs", "FLSAs", "Assignee"],
  ]);
});

test("every record type with a list says what its records are for", async () => {
  await loadLanguage("en");
  await Promise.all([loadLabels("en"), withWords(Promise.resolve(null))]);
  const listed = register.filter(
    ({ ownedBy, routes: { singleton, onlyThroughLinks } }) => ownedBy.length === 0 && !singleton && !onlyThroughLinks,
  );
  expect(listed.length).toBeGreaterThan(70);
  expect(listed.filter((type) => typePurpose(type) === undefined).map(({ name }) => name)).toEqual([]);
});
