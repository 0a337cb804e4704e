import { requireAccount } from "../actions/accounts/administrator-caller.ts";
import { OperatorError } from "../base/errors.ts";
import { disableProviders } from "../oauth/providers/disable-providers.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const ssoDisable = defineCommand({
  name: "sso disable",
  summary: "Disable an account's identity providers so that passwords work again.",
  details:
    "For administrators locked out by a broken or misconfigured provider. Nothing is deleted; you can enable a provider again\n" +
    'in Settings. For people without a password, use "password set".',
  options: {
    account: { value: "ID", required: true, help: "the account" },
    provider: { value: "REFERENCE", help: "disable only this provider (default: all)" },
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
          ? `No identity provider of ${account} is enabled.`
          : `Identity provider ${provider} of ${account} is not enabled.`,
      );
    for (const { name, reference } of disabled) terminal.say(`Disabled ${name} (${reference}).`);
    return 0;
  },
});
