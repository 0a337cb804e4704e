import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { until } from "../waiting.ts";
import { openShell } from "./shell.ts";

// Runs the webhook steps of README.md unchanged, except for the ports of the server and the receiver.

const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");

/** Extracts a section's command blocks. */
function extractBlocks(heading: string): string[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  return (section.match(/(?:^ {4}.*\n)+/gm) ?? []).map((block) => block.replaceAll(/^ {4}/gm, ""));
}

async function pickFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Follows the steps and returns the receiver's output; `variables`: the export lines that the start printed */
export async function followReadme(url: string, variables: readonly string[]): Promise<{ received: string }> {
  const port = await pickFreePort();
  const [listen, register, change, sign, changeAgain] = extractBlocks("First steps").map((block) =>
    block.replaceAll("http://127.0.0.1:8080", url).replaceAll(/(127\.0\.0\.1:|--port )9000\b/g, `$1${port}`),
  );
  const [receiver, terminal] = [openShell(), openShell()];
  const waitFor = (line: RegExp) => until(() => line.test(receiver.text.out));
  receiver.start(listen as string);
  await waitFor(/^Listening on/m);
  await terminal.paste(variables.join("\n"));
  await terminal.paste(register as string);
  await waitFor(/ verified; events will now be delivered/);
  await terminal.paste(change as string);
  await waitFor(/ team\.update \d+ by .*\(not signed\)/);
  await terminal.paste(sign as string);
  await terminal.paste(changeAgain as string);
  await waitFor(/ team\.update \d+ by .*\(.*signature/);
  return { received: receiver.text.out };
}
