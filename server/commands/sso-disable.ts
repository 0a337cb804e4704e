import { requireAccount } from "../actions/accounts/administrator-caller.ts";
import { OperatorError } from "../base/errors.ts";
import { disableProviders } from "../oauth/providers/disable-providers.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const ssoDisable = defineCommand({
  name: "sso disable",
  summary: "Switch off the identity providers of an account, so that passwords work again.",
  details:
    "For administrators who are locked out by a provider that is broken or set up wrongly. Nothing is deleted: the settings\n" +
    'of the account switch a provider on again. Whoever has no password gets one with "password set".',
  options: {
    account: { value: "ID", required: true, help: "the account" },
    provider: { value: "REFERENCE", help: "only this provider; without it, all of the account" },
  },
  example: `${program} sso disable --account acme`,
  async run({ account, provider }, terminal) {
    const options = { whenNew: "refuse", say: terminal.say } as const;
    const disabled = await withEngine(loadConfiguration(terminal), options, async ({ database, clock }) => {
      await requireAccount(database, account);
      return disableProviders(database, clock.now(), account, provider ?? null);
    });
    if (disabled.length === 0)
      throw new OperatorError(
        provider === undefined
          ? `No identity provider of ${account} is switched on.`
          : `No identity provider ${provider} of ${account} is switched on.`,
      );
    for (const { name, reference } of disabled) terminal.say(`${name} (${reference}) is switched off.`);
    return 0;
  },
});
