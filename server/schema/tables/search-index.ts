import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { quoteIdentifier } from "./model.ts";

// The words of a record in two forms: with weights, to rank matches; and with marks, to find matches in the index. A mark
// is the account, for an owned record the type of its owner, and the block of the id. So a search reads the index for a word
// in the newest blocks of an account, and nothing else that contains the word.

/** A block is 4,096 consecutive ids, which are of about the same age. */
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

/** The beginning of a mark, before the block. */
export const buildMarkPrefix = (type: RecordType, account: string, owner: string | null): string =>
  `${type.sharing.acrossAccounts === null ? `${account}/` : ""}${owner === null ? "" : `${owner}/`}`;

/** The expression of the index. `owners`: the owner types that are searched themselves. */
export function buildMarkedWords(
  type: RecordType,
  owners: readonly string[],
  alias?: string,
  accountColumn = "account_id",
): string {
  const row = prefix(alias);
  const words = type.searchable.map((name) => `words_of(${buildColumn(type, name, row)})`).join(" || ");
  const mark = [`(${row}id >> ${blockBits})::text || '/'`];
  if (type.ownedBy.length > 0)
    mark.unshift(`CASE ${owners.map((name) => `WHEN ${row}${name}_id IS NOT NULL THEN '${name}/'`).join(" ")} END`);
  if (type.sharing.acrossAccounts === null) mark.unshift(`${row}${accountColumn} || '/'`);
  return `marked(${words}, ${mark.join(" || ")})`;
}

/** The number of blocks up to the end of a step: steps cover 1, 1, 6, then 16 blocks, because the index is slow for many. */
export const buildStepEnd = (step: string): string =>
  `CASE WHEN ${step} < 2 THEN ${step} + 1 ELSE 16 * (${step}) - 24 END`;
/** The step that reaches the first block. */
export const buildLastStep = (newest: string): string => `(${newest} + 40) / 16`;
