// The numbers of work as people say them: 48213, T-9920, P-611. Requests and all other types have plain numbers.

export const workIdPrefixes: Readonly<Record<string, string>> = { task: "T-", problem: "P-", project_task: "PT-" };

export type WorkId = {
  id: number;
  /** null: the number may be of any type */
  type: string | null;
};

const pattern = /^#?([a-z]{1,3})?-?(\d{1,9})$/i;

/** Reads "48213", "#48213", "T-307", "t-307" and the same without the dash; null for everything else. */
export function parseWorkId(text: string): WorkId | null {
  const [, letters = "", digits] = pattern.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const id = Number(digits);
  if (letters === "") return text.includes("-") ? null : { id, type: null };
  const [type] = Object.entries(workIdPrefixes).find(([, prefix]) => prefix === `${letters.toUpperCase()}-`) ?? [];
  return type === undefined ? null : { id, type };
}
