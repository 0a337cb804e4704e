import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createLanguage, findMissing } from "../../../tools/languages.ts";
import { words as english } from "../../../web/languages/en/index.ts";

const root = join(import.meta.dirname, "../../..");
const copy = mkdtempSync(join(tmpdir(), "steward-languages-"));
const [source, folder] = [join(root, "web/languages"), join(copy, "web/languages")];
symlinkSync(join(root, "records"), join(copy, "records"));
for (const each of ["en", "message.ts"]) cpSync(join(source, each), join(folder, each), { recursive: true });
afterAll(() => rmSync(copy, { recursive: true }));

const count = async () => (await findMissing(folder)).reduce((sum, { keys }) => sum + keys.length, 0);

test("a new language is one folder: English until a message is translated, with a report of missing translations", async () => {
  const own = await createLanguage("pl", folder);
  const { words } = await import(join(own, "index.ts"));
  expect(words).toEqual(english);
  const all = await count();
  expect(all).toBeGreaterThan(2000);

  const file = join(own, "inbox.ts");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace("  ...english,", '  ...english,\n  "inbox.next": "Następny",'),
  );
  expect(await count()).toBe(all - 1);
  await expect(createLanguage("../x", folder)).rejects.toThrow("Invalid language code");
});

test("the shipped languages are complete", async () => {
  expect((await findMissing()).filter(({ keys }) => keys.length > 0)).toEqual([]);
});
