import type { Change } from "../engine/rules.ts";

/** Whole minutes from one field to another, for `resolution_duration`: lifecycles.md C8. */
export const tellHowLong =
  (from: string, until: string) =>
  ({ after }: Pick<Change, "after">): void => {
    const [first, last] = [after[from], after[until]];
    after.resolution_duration =
      first == null || last == null
        ? null
        : Math.floor((Date.parse(String(last)) - Date.parse(String(first))) / 60_000);
  };

/** lifecycles.md TK6 */
export const tellHowLongItTook = tellHowLong("assigned_at", "finished_at");
