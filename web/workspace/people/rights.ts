import { useQuery } from "@tanstack/react-query";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { reason, right, rights, tie } from "../../../records/answers/permissions.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findType } from "../../base/record-types.ts";
import { currentLocale, isMessage, type MessageKey, t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, fieldLabel, lowerFirst } from "../../languages/labels.ts";
import { personQueries } from "../../queries/workspace/people.ts";

// A person's permissions with the server's reasons, in the reader's language.

export const rightNames = ["see", "create", "change", "delete", "archive"] as const;
export type RightName = (typeof rightNames)[number];

export type Reason = AnswerOf<typeof reason>;
export type Right = AnswerOf<typeof right>;
export type Tie = AnswerOf<typeof tie>;
export type Rights = AnswerOf<typeof rights>;

/** The person's permissions for all records of a type, or for one record. */
export const useRightsOn = (person: number, on: string) => useRights(person, on, (all) => all[0]);

/** The person's permissions by type. */
export const useRightsByType = (person: number) => useRights(person, undefined, (all) => all);

function useRights<T>(person: number, on: string | undefined, select: (all: readonly Rights[]) => T) {
  const { api } = useCurrentAccount();
  return useQuery({ ...personQueries.rights(api, person, on), select });
}

export const roleLabel = (role: string): string =>
  role === "everyone" ? t("rights.everyone") : choiceLabel("permission.role", role);

export const joinWords = (words: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string =>
  new Intl.ListFormat(currentLocale(), { type }).format(words);

/** The conditions of grants, by their text in the declarations. */
const ruleKeys: Readonly<Record<string, MessageKey>> = {
  "I am covered for it": "rights.rule.covered",
  "is for end users, of what I am covered for": "rights.rule.forEndUsers",
  "is written for me": "rights.rule.written",
  "is shown to me": "rights.rule.shown",
  "I watch it": "rights.rule.watched",
  "my approval is asked for": "rights.rule.approval",
  "assigned to me": "rights.rule.assigned",
  "is offered to me": "rights.rule.offered",
  "works for my organization or one below it": "rights.rule.organization",
  "is my organization or one below it": "rights.rule.organization",
  "was made for my organization or one below it": "rights.rule.organization",
  "I am a member of it": "rights.rule.member",
  "its workspace is of one of my teams": "rights.rule.team",
};

const conditionText = (condition: string): string => {
  const [kind = "", name = ""] = condition.split(/:(.*)/s);
  if (kind === "field")
    return name === "id" ? t("rights.themselves") : t("rights.asField", { field: lowerFirst(fieldLabel(name)) });
  const key = ruleKeys[name];
  return key === undefined || !isMessage(key) ? name : t(key);
};

const describeConditions = (condition: readonly string[]): string =>
  joinWords([...new Set(condition.map(conditionText))], "disjunction");

/** "Specialist, as manager"; the short form of the matrix. */
export const shortReason = ({ role, condition }: Reason): string =>
  condition.length === 0
    ? roleLabel(role)
    : t("rights.short", { role: roleLabel(role), condition: describeConditions(condition) });

/** A whole sentence. */
export function reasonSentence({ role, account, condition }: Reason, on: string, here: string): string {
  const type = findType(on);
  const what = type === undefined ? on : lowerFirst(collectionLabel(type));
  const named = account === here ? roleLabel(role) : t("rights.roleThere", { role: roleLabel(role), account });
  return condition.length === 0
    ? t("rights.allowsAll", { role: named, what })
    : t("rights.allowsSome", { role: named, what, condition: describeConditions(condition) });
}

export function tieSentence({ kind, field, name }: Tie, person: string): string {
  const values = { person, field: lowerFirst(fieldLabel(field)), name: name ?? "" };
  return t(`rights.tie.${kind}`, values);
}
