import type { Browser, BrowserContext } from "playwright-core";
import { signIns } from "../../demo/data/accounts.ts";
import { loadDemo } from "../../demo/loader/load.ts";
import { setDemoPasswords } from "../../demo/loader/passwords.ts";
import { createPersonalAccessToken } from "../../server/oauth/personal-access-tokens.ts";
import type { Client } from "./clients/json-client.ts";
import { openSignedInBrowser } from "./clients/signed-in-page.ts";
import { type World, world } from "./world.ts";

// The demo company with three months of work, as on the first start, so every screen has content.

export type DemoRole = (typeof signIns)[number]["role"];
export type DemoWorld = World & {
  /** the account of these people */
  account: string;
  asDemo(role: DemoRole): Promise<Client>;
  openDemoBrowser(browser: Browser, role: DemoRole): Promise<BrowserContext>;
};

export async function demoWorld(): Promise<DemoWorld> {
  const here = await world({ empty: true });
  const { engine, api } = here.service;
  await loadDemo({ engine, files: api.files });
  // Stop due work, which would otherwise change the company during the tests.
  await here.service.worker.stop();
  await here.service.notificationDispatcher.stop();
  const password = await setDemoPasswords(engine);
  const find = (role: DemoRole) => signIns.find((each) => each.role === role) as (typeof signIns)[number];
  return {
    ...here,
    account: find("specialist").account,
    async asDemo(role) {
      const { email, account } = find(role);
      const wanted = { email, account: "quillhaven", name: "test", actions: ["*:*"] };
      return here.withToken(await createPersonalAccessToken(engine.database, here.clock, wanted), { account });
    },
    openDemoBrowser: (browser, role) => openSignedInBrowser(browser, here, { email: find(role).email, password }),
  };
}
