import type { Readable } from "node:stream";
import { OperatorError } from "../base/errors.ts";
import { setPassword } from "../oauth/passwords/change-password.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const passwordSet = defineCommand({
  name: "password set",
  summary: "Set a person's password, read from standard input.",
  details:
    "The first line is the password. It can't be passed as an argument, because other users of the machine could read it.\n" +
    "The person is signed out of all sessions.",
  options: {
    email: { value: "ADDRESS", required: true, help: "primary email address of the person" },
    account: { value: "ID", help: "account of the person, if several accounts use the address" },
  },
  example: `printf 'correct horse battery staple' | ${program} password set --email ada@acme.example`,
  async run({ email, account }, terminal) {
    if (terminal.input.isTTY) terminal.say(`Enter the new password for ${email}. It is visible as you type.`);
    const password = await readFirstLine(terminal.input);
    if (password === "") throw new OperatorError("No password on standard input.");
    const options = { whenNew: "refuse", say: terminal.say } as const;
    await withEngine(loadConfiguration(terminal), options, (engine) =>
      setPassword(engine.database, engine.clock.now(), { email, account, password }),
    );
    return 0;
  },
});

async function readFirstLine(input: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) {
    parts.push(Buffer.from(part));
    if (parts.at(-1)?.includes(10)) break;
  }
  return (Buffer.concat(parts).toString("utf8").split("\n")[0] as string).replace(/\r$/, "");
}
