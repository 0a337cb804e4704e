import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

// Starts a language of the interface, or reports what the languages miss: docs/translating.md.
//   node tools/languages.ts            the report
//   node tools/languages.ts --new pl   a folder in which every message is English until it is translated

const languagesFolder = join(import.meta.dirname, "../web/languages");
const wholeFiles = ["index.ts", "first.ts"];

const listAreas = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, "en"))).filter((file) => file.endsWith(".ts") && !wholeFiles.includes(file)).sort();

/** The keys of the messages that a file writes down itself. */
const readKeys = async (file: string): Promise<string[]> =>
  [...(await readFile(file, "utf8").catch(() => "")).matchAll(/^ {2}"([^"]+)":/gm)].map(([, key = ""]) => key);

export async function createLanguage(code: string, folder = languagesFolder): Promise<string> {
  if (!/^[a-z]{2,3}$/.test(code)) throw new Error(`Invalid language code "${code}". Use a code such as pl or sv.`);
  const own = join(folder, code);
  await mkdir(own);
  for (const file of wholeFiles) await cp(join(folder, "en", file), join(own, file));
  for (const file of await listAreas(folder)) {
    const [, name = ""] = /export const (\w+) =/.exec(await readFile(join(folder, "en", file), "utf8")) ?? [];
    const text = `import { ${name} as english } from "../en/${file}";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const ${name} = {
  ...english,
} satisfies Translation<typeof english>;
`;
    await writeFile(join(own, file), text);
  }
  return own;
}

export type Gap = { code: string; file: string; keys: string[] };

/** The messages that a language takes from English, by file. */
export async function findMissing(folder = languagesFolder): Promise<Gap[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const codes = entries.filter((each) => each.isDirectory() && each.name !== "en").map(({ name }) => name);
  const gaps: Gap[] = [];
  for (const code of codes.sort())
    for (const file of await listAreas(folder)) {
      const own = new Set(await readKeys(join(folder, code, file)));
      const keys = (await readKeys(join(folder, "en", file))).filter((key) => !own.has(key));
      gaps.push({ code, file, keys });
    }
  return gaps;
}

async function report(): Promise<void> {
  const gaps = await findMissing();
  for (const code of new Set(gaps.map((gap) => gap.code))) {
    const missing = gaps.filter((gap) => gap.code === code && gap.keys.length > 0);
    const count = missing.reduce((sum, { keys }) => sum + keys.length, 0);
    console.log(`${code}: ${count === 0 ? "complete" : `${count} messages missing`}`);
    for (const { file, keys } of missing) console.log(`  ${file}: ${keys.join(", ")}`);
  }
}

if (import.meta.main) {
  const [option, code = ""] = process.argv.slice(2);
  if (option === "--new") console.log(`Created ${await createLanguage(code)}. Translate its messages one by one.`);
  else await report();
}
