import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import { address } from "../../../records/people/address.ts";
import { contact } from "../../../records/people/contact.ts";
import { type Change, noConflicts, rulesFor } from "../../engine/rules.ts";

// The labels that each type of owner may use, and the fields that a contact with a label may fill.

type OwnerType = "person" | "organization";

const contactFields = ["telephone", "email", "website", "chat"] as const;
type ContactField = (typeof contactFields)[number];

const commonContactFields: readonly ContactField[] = ["telephone", "email", "website"];
// biome-ignore format: a table keeps its columns
const contactLabels: Record<OwnerType, Partial<Record<EnumerationValue<"contact.label">, readonly ContactField[]>>> = {
  person: {
    work: commonContactFields, mobile: ["telephone"], home: ["telephone"], emergency: ["telephone"], fax: ["telephone"],
    personal: ["email", "website"],
    chat_workchat: ["chat"], chat_teams: ["chat"], chat_slack: ["chat"], chat_skype: ["chat"],
  },
  organization: {
    general: commonContactFields, service_desk: commonContactFields, fax: ["telephone"], service_desk_fax: ["telephone"],
  },
};
const addressLabels: Record<OwnerType, readonly EnumerationValue<"address.label">[]> = {
  person: ["home", "mailing"],
  organization: ["street", "mailing", "billing"],
};

const getOwnerType = ({ after }: Change<typeof contact | typeof address>): OwnerType =>
  after.person === null ? "organization" : "person";

export const contactRules = rulesFor(contact, {
  conflictKeys: noConflicts,
  beforeSave(change) {
    const { after, problem } = change;
    const used = contactFields.filter((name) => after[name] !== null);
    if (used.length !== 1) problem("base", "must have exactly one of telephone, email, website and chat");
    if (after.label === null) return;
    const allowed = contactLabels[getOwnerType(change)][after.label];
    if (allowed === undefined) problem("label", "is not valid");
    else for (const name of used) if (!allowed.includes(name)) problem(name, "is not allowed for this label");
  },
});

export const addressRules = rulesFor(address, {
  conflictKeys: noConflicts,
  beforeSave(change) {
    const { label } = change.after;
    if (label !== null && !addressLabels[getOwnerType(change)].includes(label)) change.problem("label", "is not valid");
  },
});
