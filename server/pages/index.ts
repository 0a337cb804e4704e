import type { FastifyInstance } from "fastify";
import { registerCombinedReads } from "./combined-reads.ts";
import { registerAuthorizePages } from "./consent/authorize-page.ts";
import { registerExtensionFrame } from "./extension-frame/extension-frame.ts";
import { registerStyleRoute } from "./layout/style.ts";
import { registerLiveRoutes } from "./live-routes.ts";
import { createPageRoutes, sendFailurePage } from "./page-routes.ts";
import { registerCallbackPages } from "./providers/callback-pages.ts";
import { registerEmergencyDoor } from "./providers/emergency-door.ts";
import { registerBackChannelLogout, registerSignOutPages } from "./providers/sign-out-pages.ts";
import { registerStartPages } from "./providers/start-pages.ts";
import { registerSessionApi } from "./session-api.ts";
import { registerShortAddresses } from "./short-addresses.ts";
import { registerShortUrls } from "./short-urls.ts";
import { registerDemoSignIn } from "./sign-in/demo-sign-in.ts";
import { registerFirstAccountPage } from "./sign-in/first-account-page.ts";
import { registerPasskeyScript } from "./sign-in/passkey-script.ts";
import { registerPasswordResetPages } from "./sign-in/password-reset-page.ts";
import { registerSignInPages } from "./sign-in/sign-in-page.ts";
import type { PagesContext } from "./visit.ts";
import { registerAddressesWithoutAccount } from "./web-app/addresses-without-account.ts";

export type { PagesContext } from "./visit.ts";

/** Server-rendered pages: sign-in, password reset and consent work without JavaScript. All else is the web application. */
export function registerPages(pages: PagesContext, app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailurePage(pages, error, request, reply));
    registerStyleRoute(scope);
    registerPasskeyScript(scope);
    const routes = createPageRoutes(pages, scope);
    for (const add of [
      registerSignInPages,
      registerPasswordResetPages,
      registerAuthorizePages,
      registerAddressesWithoutAccount,
    ])
      add(routes);
    for (const add of [registerStartPages, registerCallbackPages, registerSignOutPages, registerEmergencyDoor])
      add(routes);
    registerFirstAccountPage(routes);
    registerShortAddresses(routes);
    registerShortUrls(routes);
    registerExtensionFrame(routes);
    if (pages.demoPeople.length > 0) registerDemoSignIn(routes);
  });
  app.register(async (scope) => registerSessionApi(pages, scope));
  app.register(async (scope) => registerBackChannelLogout(pages, scope));
  app.register(async (scope) => registerLiveRoutes(pages, scope));
  app.register(async (scope) => registerCombinedReads(pages, scope));
}
