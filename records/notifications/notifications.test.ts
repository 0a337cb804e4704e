import { describe, expect, test } from "vitest";
import { enumerations } from "../enumerations/index.ts";
import { register } from "../index.ts";
import type { RecordType } from "../vocabulary/index.ts";
import { mailLanguages, notifications } from "./index.ts";

// The table of notifications agrees with the record types, and every language has a text for each of them.

const types = new Map(register.map((type) => [type.name, type]));
const triggers: readonly string[] = enumerations["email_template.trigger"];
// PB5 and RC26 want them; note reactions are one row for all kinds of records.
const triggersBesideEnumeration = [
  "problem/progress_halted",
  "note/new_note_reaction",
  "workflow_template/recurrence_failed",
  "ci/recurrence_failed",
];

const getType = (name: string): RecordType => {
  const type = types.get(name);
  if (type === undefined) throw new Error(`no record type "${name}"`);
  return type;
};
/** The type that a way through references ends at. */
function resolvePath(type: RecordType, path: string): string {
  let at = type;
  for (const name of path.split(".")) {
    const field = at.fields[name];
    if (field?.kind !== "reference") throw new Error(`${type.name}: ${path}`);
    at = getType(field.to);
  }
  return at.name;
}

describe("the table", () => {
  test.each(notifications.map((row, index) => [index, row.trigger, row] as const))("row %i, %s", (_, trigger, row) => {
    const type = getType(row.on);
    if (!triggersBesideEnumeration.includes(trigger)) expect(triggers).toContain(trigger);
    const fields = Object.keys(type.fields);
    const isNote = row.when.some(({ on }) => on === "happened");
    const known = [...fields, ...(isNote ? ["internal", "quiet", "medium", "copied"] : [])];
    for (const name of Object.keys({ ...row.if, ...row.ifBefore })) expect(known).toContain(name);
    for (const occasion of row.when)
      if (occasion.on === "changed") expect(fields).toEqual(expect.arrayContaining([...occasion.fields]));
      else if (occasion.on === "became" || occasion.on === "reached") expect(fields).toContain(occasion.field);
      else if (occasion.on === "happened") expect(type.events).toContain(occasion.what);
    for (const to of row.to)
      if ("at" in to || "before" in to) expect(resolvePath(type, "at" in to ? to.at : to.before)).toBe("person");
      else if ("in" in to)
        expect([resolvePath(getType(to.in), to.by), resolvePath(getType(to.in), to.person)]).toEqual([
          row.on,
          "person",
        ]);
    for (const path of row.subjectPaths ?? []) {
      const { fields: ofIt } = getType(resolvePath(type, path));
      for (const name of Object.keys(row.subjectIf ?? {})) expect(ofIt[name]?.kind).toBe("enum");
    }
    expect(fields).toEqual(expect.arrayContaining([...(row.embeddedFields ?? [])]));
  });
});

describe("the texts", () => {
  const keys = [...new Set(notifications.map(({ text, trigger }) => text ?? (trigger.split("/")[1] as string)))].sort();
  const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

  test.each(Object.keys(mailLanguages))(
    "%s has exactly one text for each row, with the same placeholders as English",
    (code) => {
      const words = mailLanguages[code];
      expect(Object.keys(words?.notifications ?? {}).sort()).toEqual(keys);
      for (const key of keys)
        for (const part of ["title", "text"] as const)
          expect(placeholders(words?.notifications[key]?.[part] ?? ""), `${key} ${part}`).toEqual(
            placeholders(mailLanguages.en?.notifications[key]?.[part] ?? ""),
          );
      for (const part of ["open", "why", "answer", "unsubscribe"] as const)
        expect(placeholders(words?.[part] ?? "")).toEqual(placeholders(mailLanguages.en?.[part] ?? ""));
      const { reasons, ...around } = words?.rejection ?? { reasons: {} };
      const { reasons: inEnglish, ...aroundInEnglish } = mailLanguages.en?.rejection ?? { reasons: {} };
      const wanted = (texts: object) => Object.entries(texts).map(([key, text]) => [key, placeholders(text)]);
      expect(wanted({ ...around, ...reasons })).toEqual(wanted({ ...aroundInEnglish, ...inEnglish }));
    },
  );
});
