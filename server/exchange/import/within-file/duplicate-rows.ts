import type { Problem } from "../../../base/errors.ts";
import type { CsvRow } from "../../formats/csv.ts";

// IE24. Rows of a file that have a key of an earlier row. They are found before the first row is saved: a job that resumes
// after a crash finds the same ones. A first pass marks the keys in a Bloom filter, so that memory stays bounded for any
// file size; only keys that may occur twice are compared exactly, in a second pass. D-771

/** A key that no two rows of a file may share; `field`: the one that an error names */
export type FileKey = { field: string; text: string };

/** By line: what is wrong with the row. */
export type DuplicateRows = ReadonlyMap<number, Problem>;

const minFilterBits = 2 ** 16;
const maxFilterBits = 2 ** 29;
const bitsPerByte = 1; // of the file: about a hundred for each row
const hashCount = 4;
/** More end the import in any case. */
const maxCandidates = 100_000;
const maxDuplicates = 20_000;

export async function findDuplicateRows(
  openRows: () => AsyncIterable<CsvRow>,
  fileSize: number,
  listKeys: (row: CsvRow) => readonly FileKey[],
): Promise<{ duplicates: DuplicateRows; count: number }> {
  const filter = new BloomFilter(fileSize * bitsPerByte);
  const candidates = new Set<string>();
  let count = 0;
  for await (const row of openRows()) {
    count++;
    for (const key of listKeys(row)) {
      const text = serializeKey(key);
      if (filter.add(text) && candidates.size < maxCandidates) candidates.add(text);
    }
  }
  const duplicates = new Map<number, Problem>();
  if (candidates.size === 0) return { duplicates, count };
  const firstLines = new Map<string, number>();
  for await (const row of openRows())
    for (const key of listKeys(row)) {
      const text = serializeKey(key);
      if (!candidates.has(text)) continue;
      const first = firstLines.get(text);
      if (first === undefined) firstLines.set(text, row.line);
      else if (!duplicates.has(row.line) && duplicates.size < maxDuplicates)
        duplicates.set(row.line, [key.field, "is already used in row {row}", { row: first }]);
    }
  return { duplicates, count };
}

const serializeKey = ({ field, text }: FileKey): string => `${field} ${text}`;

/** Says of a text whether it may have been added before: never wrongly no, seldom wrongly yes. */
export class BloomFilter {
  private readonly words: Uint32Array;
  private readonly mask: number;

  constructor(bits: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.min(maxFilterBits, Math.max(minFilterBits, bits))));
    this.words = new Uint32Array(size / 32);
    this.mask = size - 1;
  }

  add(text: string): boolean {
    let [one, other] = [0x811c9dc5, 0x01000193];
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      one = Math.imul(one ^ unit, 0x9e3779b1);
      other = Math.imul(other ^ unit, 0x85ebca77);
    }
    [one, other] = [mixBits(one), mixBits(other) | 1];
    let isKnown = true;
    for (let nr = 0; nr < hashCount; nr++) {
      const bit = ((one + Math.imul(nr, other)) >>> 0) & this.mask;
      const [word, flag] = [bit >>> 5, 1 << (bit & 31)];
      if (((this.words[word] as number) & flag) === 0) isKnown = false;
      (this.words as { [word: number]: number })[word] = (this.words[word] as number) | flag;
    }
    return isKnown;
  }
}

/** Spreads what a hash has in its high bits over all of them. */
function mixBits(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  const twice = Math.imul(once ^ (once >>> 15), 0x735a2d97);
  return (twice ^ (twice >>> 15)) >>> 0;
}
