import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { register } from "../../records/index.ts";
import { measureSummaries } from "../summaries.ts";
import { measureBesideLists } from "./beside-lists.ts";
import { measureLists, measureWalks, readPlans, showLists } from "./measure-lists.ts";
import { prepareMillion, type Reader } from "./prepare.ts";

// npm run bench -- --million: a million rows in every table that grows.

type Server = { base: string };
type Options<S extends Server> = {
  directory: string;
  rows: number;
  only: string;
  say: (line: string) => void;
  start(env: Record<string, string>): Promise<S>;
  stop(server: S): Promise<void>;
};

export async function runMillion<S extends Server>(options: Options<S>): Promise<string> {
  const { directory, rows, only, say } = options;
  const { database, readers } = await prepareMillion(directory, rows, say);
  const limits = { RATE_LIMIT: "0", COST_LIMIT: "0", RATE_BURST: "0" };
  try {
    const server = await options.start({ DATABASE_URL: database.url, DATA_DIR: directory, ...limits });
    try {
      const since = new Date();
      const measured = await measureLists(server.base, readers, say, only);
      const plans = readPlans(directory, since);
      const file = join(directory, "plans.txt");
      writeFileSync(file, plans.join("\n\n"));
      say(`${plans.length} plans of statements over 100 ms: ${file}`);
      if (only !== "") return showLists(measured, readers);
      const [administrator] = readers as readonly [Reader, ...Reader[]];
      const growing = register.filter(({ storage, routes }) => storage.grows && !routes.onlyThroughLinks);
      return [
        showLists(measured, readers),
        await measureWalks(server.base, administrator, growing),
        await measureSummaries(server.base, database.url, administrator.headers),
        await measureBesideLists(server.base, readers, rows),
      ].join("\n\n");
    } finally {
      await options.stop(server);
    }
  } finally {
    await database.stop();
  }
}
