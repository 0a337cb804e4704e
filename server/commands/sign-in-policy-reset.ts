import { requireAccount } from "../actions/accounts/administrator-caller.ts";
import { resetSignInPolicy } from "../oauth/sign-in-policy.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const signInPolicyReset = defineCommand({
  name: "sign-in-policy reset",
  summary: "Allow password sign-in from any network for an account.",
  details: "For administrators who have locked themselves out. Other parts of the sign-in policy don't change.",
  options: { account: { value: "ID", required: true, help: "the account" } },
  example: `${program} sign-in-policy reset --account acme`,
  async run({ account }, terminal) {
    const options = { whenNew: "refuse", say: terminal.say } as const;
    await withEngine(loadConfiguration(terminal), options, async ({ database, clock }) => {
      await requireAccount(database, account);
      await resetSignInPolicy({ database, clock }, account);
    });
    terminal.say(`Everyone in ${account} can now sign in with a password from any network.`);
    return 0;
  },
});
