import { expect, test } from "vitest";
import { parseWorkId, workIdPrefixes } from "../../../records/work/work-ids.ts";
import { formatWorkId } from "../../../web/parts/work/work-id.ts";

// Numbers of work as the interface shows them and as people type them.

test("every displayed number can be parsed, in lower case and without the dash as well", () => {
  for (const type of ["request", ...Object.keys(workIdPrefixes)]) {
    const shown = formatWorkId(type, 307);
    const wanted = { id: 307, type: type in workIdPrefixes ? type : null };
    for (const text of [shown, shown.toLowerCase(), shown.replace("-", ""), `#${shown}`, ` ${shown} `])
      expect(parseWorkId(text), text).toEqual(wanted);
  }
  for (const text of ["", "T-", "X-5", "-5", "T 5", "T-5a", "5 apples", "T--5"])
    expect(parseWorkId(text), text).toBeNull();
});
