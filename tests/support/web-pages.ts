import { buildWeb } from "../../tools/build-web.ts";

/** Builds the pages once, before the files that look at them start beside each other and all find them out of date. */
export default async function setup(): Promise<void> {
  const files = process.argv.filter((word) => /\btests\/|\bserver\/|\.test\b/.test(word) && !word.startsWith("/"));
  if (files.length === 0 || files.some((name) => name.includes("browser"))) await buildWeb(() => {});
}
