import type { FastifyInstance } from "fastify";
import { registerApplicationPages } from "./account/application-pages.ts";
import { registerProfilePages } from "./account/profile-pages.ts";
import { registerSecurityTrailPages } from "./account/security-trail-pages.ts";
import { registerTokenPages } from "./account/token-pages.ts";
import { registerAuthorizePages } from "./consent/authorize-page.ts";
import { registerStyleRoute } from "./layout/style.ts";
import { createPageRoutes, sendFailurePage } from "./page-routes.ts";
import { registerSessionApi } from "./session-api.ts";
import { registerPasswordResetPages } from "./sign-in/password-reset-page.ts";
import { registerSignInPages } from "./sign-in/sign-in-page.ts";
import type { PagesContext } from "./visit.ts";

export type { PagesContext } from "./visit.ts";

/** Everything that people see without the web application, and the interface for it. */
export function registerPages(pages: PagesContext, app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailurePage(pages, error, request, reply));
    registerStyleRoute(scope);
    const routes = createPageRoutes(pages, scope);
    for (const add of [
      registerSignInPages,
      registerPasswordResetPages,
      registerAuthorizePages,
      registerProfilePages,
      registerTokenPages,
      registerApplicationPages,
      registerSecurityTrailPages,
    ])
      add(routes);
  });
  app.register(async (scope) => registerSessionApi(pages, scope));
}
