import { type Change, noConflicts, type TypeRules } from "../../engine/rules.ts";

// Which labels an owner may use, and what a label holds.

const commonContactFields = ["telephone", "email", "website"];
// biome-ignore format: a table keeps its columns
const contactLabels: Record<string, Record<string, readonly string[]>> = {
  person: {
    work: commonContactFields, mobile: ["telephone"], home: ["telephone"], emergency: ["telephone"], fax: ["telephone"],
    personal: ["email", "website"],
    chat_workchat: ["chat"], chat_teams: ["chat"], chat_slack: ["chat"], chat_skype: ["chat"],
  },
  organization: {
    general: commonContactFields, service_desk: commonContactFields, fax: ["telephone"], service_desk_fax: ["telephone"],
  },
};
const addressLabels: Record<string, readonly string[]> = {
  person: ["home", "mailing"],
  organization: ["street", "mailing", "billing"],
};

const getOwnerType = ({ after }: Change) => (after.person === null ? "organization" : "person");

export const contactRules: TypeRules = {
  conflictKeys: noConflicts,
  beforeSave(change) {
    const { after } = change;
    const allowed = typeof after.label === "string" ? contactLabels[getOwnerType(change)]?.[after.label] : undefined;
    const used = ["telephone", "email", "website", "chat"].filter((name) => after[name] !== null);
    if (used.length !== 1) change.problem("base", "must have exactly one of telephone, email, website and chat");
    if (typeof after.label !== "string") return;
    if (allowed === undefined) change.problem("label", "is not valid");
    else for (const name of used) if (!allowed.includes(name)) change.problem(name, "is not allowed for this label");
  },
};

export const addressRules: TypeRules = {
  conflictKeys: noConflicts,
  beforeSave(change) {
    const { label } = change.after;
    if (typeof label === "string" && !addressLabels[getOwnerType(change)]?.includes(label))
      change.problem("label", "is not valid");
  },
};
