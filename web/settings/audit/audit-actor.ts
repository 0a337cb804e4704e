import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconRobot from "@tabler/icons-react/dist/esm/icons/IconRobot.mjs";
import { t } from "../../languages/index.ts";
import type { IconComponent } from "../../parts/icon.tsx";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import type { AuditLine } from "./audit-line.ts";

/**
 * Who an audit line begins with. Rules, programs and the system have an icon, people a picture. `shownField`: the change that
 * the name tells already.
 */
export type AuditActor = { name: string; shownField?: string } & (
  | { icon: IconComponent; person: null }
  | { icon: null; person: Reference }
);

/**
 * A rule and a program act under their own names: the person whose change made the rule run, or for whom the program acts, is
 * told beside them. A personal token acts for its owner.
 */
export function pickActor({ changes, origin, created_by: person }: AuditLine): AuditActor {
  const rule = changes?.automation_rule?.[1];
  if (typeof rule === "string")
    return { name: t("audit.rule", { name: rule }), icon: IconRobot, person: null, shownField: "automation_rule" };
  const program = origin?.application ?? (origin?.kind === "scim" ? origin.name : undefined);
  if (program !== undefined) return { name: program, icon: IconKey, person: null };
  if (person === null) return { name: t("audit.nobody"), icon: IconRobot, person: null };
  return { name: getReferenceName(person), icon: null, person };
}
