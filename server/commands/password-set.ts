import type { Readable } from "node:stream";
import { Mistake } from "../base/errors.ts";
import { setPassword } from "../oauth/change-password.ts";
import { command, configurationOf } from "./command.ts";
import { program } from "./help.ts";
import { withEngine } from "./with-engine.ts";

export const passwordSet = command({
  name: "password set",
  summary: "Set the password of a person, read from standard input.",
  details:
    "The first line is the password. It is never an argument: those can be read by others on the same machine. The\n" +
    "person is signed out everywhere.",
  options: {
    email: { value: "ADDRESS", required: true, help: "primary e-mail address of the person" },
    account: { value: "ID", help: "the account the person is registered in, when several know the address" },
  },
  example: `printf 'correct horse battery staple' | ${program} password set --email ada@acme.example`,
  async run({ email, account }, terminal) {
    if (terminal.input.isTTY)
      terminal.say(`Type the new password of ${email} and press Enter. It is visible as you type.`);
    const password = await firstLine(terminal.input);
    if (password === "") throw new Mistake("No password came on standard input.");
    const wanted = { whenNew: "refuse", say: terminal.say } as const;
    await withEngine(configurationOf(terminal), wanted, (engine) =>
      setPassword(engine.database, engine.clock.now(), { email, account, password }),
    );
    return 0;
  },
});

async function firstLine(input: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) {
    parts.push(Buffer.from(part));
    if (parts.at(-1)?.includes(10)) break;
  }
  return (Buffer.concat(parts).toString("utf8").split("\n")[0] as string).replace(/\r$/, "");
}
