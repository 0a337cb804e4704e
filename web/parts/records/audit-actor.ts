import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconRobot from "@tabler/icons-react/dist/esm/icons/IconRobot.mjs";
import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import type { IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";

type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null;
type Line = { changes: Changes; origin: ChangeOrigin | null; created_by: Reference | null };

/**
 * The actor at the start of an audit line. Rules, programs and the system have an icon, people a picture. `shownField`:
 * the change that the actor's name already contains.
 */
export type AuditActor = { name: string; shownField?: string } & (
  | { icon: IconComponent; person: null }
  | { icon: null; person: Reference }
);

/** In the lines of a rule, its name is one of the changes. */
const ruleField = "automation_rule";

/** The name of the rule that made a change; null: it wasn't made by a rule. */
export function nameRule(changes: Changes): string | null {
  const rule = changes?.[ruleField]?.[1];
  return typeof rule === "string" ? t("audit.rule", { name: rule }) : null;
}

/**
 * A rule and a program act under their own names; the person whose change triggered the rule, or for whom the program
 * acts, is shown beside them. A personal token acts as its owner.
 */
export function pickActor({ changes, origin, created_by: person }: Line): AuditActor {
  const rule = nameRule(changes);
  if (rule !== null) return { name: rule, icon: IconRobot, person: null, shownField: ruleField };
  const program = origin?.application ?? (origin?.kind === "scim" ? origin.name : undefined);
  if (program !== undefined) return { name: program, icon: IconKey, person: null };
  if (person === null) return { name: t("audit.nobody"), icon: IconRobot, person: null };
  return { name: getReferenceName(person), icon: null, person };
}
