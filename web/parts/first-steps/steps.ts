import { person } from "../../../records/people/person.ts";
import { webhook } from "../../../records/settings/webhook.ts";
import { request } from "../../../records/work/request.ts";
import { paths } from "../../base/paths.ts";
import type { MessageKey } from "../../languages/index.ts";

// An administrator's first tasks. A step is completed by doing it anywhere in the interface: a successful call marks it
// as done.

export type FirstStep = {
  id: string;
  label: MessageKey;
  lead: MessageKey;
  path(account: string): string;
  doneBy: { method: string; path: RegExp };
};

// biome-ignore format: a table keeps its columns
export const firstSteps: readonly FirstStep[] = [
  { id: "look",    label: "steps.look",    lead: "steps.lookLead",    path: (account) => paths.list(account, request),   doneBy: { method: "GET",  path: /^\/requests\/\d+$/ } },
  { id: "make",    label: "steps.make",    lead: "steps.makeLead",    path: (account) => `${paths.list(account, request)}?new=request`, doneBy: { method: "POST", path: /^\/requests$/ } },
  { id: "rule",    label: "steps.rule",    lead: "steps.ruleLead",    path: (account) => paths.rules(account),           doneBy: { method: "POST", path: /^\/automation_rule_dry_run$/ } },
  { id: "webhook", label: "steps.webhook", lead: "steps.webhookLead", path: (account) => paths.create(account, webhook), doneBy: { method: "POST", path: /^\/webhooks$/ } },
  { id: "invite",  label: "steps.invite",  lead: "steps.inviteLead",  path: (account) => paths.create(account, person),  doneBy: { method: "POST", path: /^\/people$/ } },
];

export const findStep = (method: string, path: string): FirstStep | undefined =>
  firstSteps.find(({ doneBy }) => doneBy.method === method && doneBy.path.test(path));
