import { buildWeb } from "../../tools/build-web.ts";

/** Builds the pages once, before parallel test files find them outdated and all build them. */
export default async function setup(): Promise<void> {
  const files = process.argv.filter((word) => /\btests\/|\bserver\/|\.test\b/.test(word) && !word.startsWith("/"));
  if (files.length === 0 || files.some((name) => name.includes("browser"))) await buildWeb(() => {});
}
