import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { t } from "../../../languages/index.ts";
import { getReferenceName, type Reference } from "../../../queries/reference.ts";

// A first draft of a rule based on an existing record: the condition selects similar records, the actions repeat the
// decisions made for it. The rule language's keywords aren't translated.

/** Fields that characterize the record, if it has them. */
const conditions = ["category", "service_instance", "impact", "template", "ci", "workflow"];
/** Fields that people set when they handle it. */
const decisions = ["team", "member"];

const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "number";

function describeCondition(type: RecordType, row: Row, name: string): string[] {
  const value = row[name];
  if (type.fields[name] === undefined || value == null) return [];
  if (isReference(value)) return [`${name} = ${value.id}`];
  return typeof value === "string" ? [`${name} = ${/^[a-z]\w*$/.test(value) ? value : quote(value)}`] : [];
}

/** The members of a new rule; it does nothing until it is saved. */
export function buildRuleFromRecord(type: RecordType, row: Row): Record<string, unknown> {
  const subject = String(row[type.display] ?? row.id);
  const chosen = decisions.flatMap((name) => {
    const value = row[name];
    return type.fields[name] !== undefined && isReference(value) ? [{ name, value }] : [];
  });
  const said = chosen.map(({ name, value }) => `${name} ${getReferenceName(value)}`).join(", ");
  return {
    name: t("ruleEditor.like", { subject }).slice(0, 128),
    trigger: "on create",
    generic: type.name,
    expressions: "",
    condition: conditions.flatMap((name) => describeCondition(type, row, name)).join(" and "),
    actions:
      chosen.length === 0
        ? ""
        : [
            ...chosen.map(({ name, value }) => `set ${name} = ${value.id}`),
            `add internal note ${quote(t("ruleEditor.likeNote", { said }))}`,
          ]
            .map((action, index) => `a${index + 1}: ${action}`)
            .join("\n"),
  };
}
