import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { quoteIdentifier } from "./model.ts";

// The words of a record, for the search. Two forms of them: as they are, with weights, to rank a few records that were
// found; and marked with where they stand, to find these in the index. A mark is the account, for an owned record the type of
// its owner, and the block of its id. So the index is asked for a word in the newest blocks of an account, and never
// reads what else has that word.

/** Ids that share their higher bits are of one age: a block is 4,096 of them. */
export const blockBits = 12;

const buildColumn = (type: RecordType, name: string, alias: string): string =>
  `${alias}${quoteIdentifier((type.fields[name] as Field).storedAs ?? name)}`;
const prefix = (alias: string | undefined) => (alias === undefined ? "" : `${alias}.`);

export function buildWeightedWords(type: RecordType, alias?: string): string {
  const weights = type.ownedBy.length > 0 ? "D" : "ABCD";
  return type.searchable
    .map((name, index) => {
      const weight = weights[Math.min(index, weights.length - 1)];
      return `setweight(words_of(${buildColumn(type, name, prefix(alias))}), '${weight}')`;
    })
    .join(" || ");
}

/** What the mark of a record begins with, before its block. */
export const buildMarkPrefix = (type: RecordType, account: string, owner: string | null): string =>
  `${type.acrossAccounts === null ? `${account}/` : ""}${owner === null ? "" : `${owner}/`}`;

/** As it stands in the index. `owners`: the types among its owners that are searched themselves. */
export function buildMarkedWords(
  type: RecordType,
  owners: readonly string[],
  alias?: string,
  accountColumn = "account_id",
): string {
  const of = prefix(alias);
  const words = type.searchable.map((name) => `words_of(${buildColumn(type, name, of)})`).join(" || ");
  const mark = [`(${of}id >> ${blockBits})::text || '/'`];
  if (type.ownedBy.length > 0)
    mark.unshift(`CASE ${owners.map((name) => `WHEN ${of}${name}_id IS NOT NULL THEN '${name}/'`).join(" ")} END`);
  if (type.acrossAccounts === null) mark.unshift(`${of}${accountColumn} || '/'`);
  return `marked(${words}, ${mark.join(" || ")})`;
}

/** The last block of a step and those before: the newest, the one before, then 6, then 16 at a time, for the index takes long over many. */
export const buildStepEnd = (step: string): string =>
  `CASE WHEN ${step} < 2 THEN ${step} + 1 ELSE 16 * (${step}) - 24 END`;
/** The step that reaches the first block. */
export const buildLastStep = (newest: string): string => `(${newest} + 40) / 16`;
