import type { FastifyInstance } from "fastify";
import { applicationPages } from "./application-pages.ts";
import { authorizePages } from "./authorize-page.ts";
import { passwordResetPages } from "./password-reset-page.ts";
import { profilePages } from "./profile-pages.ts";
import { failurePage, pageRoutes } from "./routes.ts";
import { sessionApi } from "./session-api.ts";
import { signInPages } from "./sign-in-page.ts";
import { styleRoute } from "./style.ts";
import { tokenPages } from "./token-pages.ts";
import { trailPages } from "./trail-pages.ts";
import type { Pages } from "./visit.ts";

export type { Pages } from "./visit.ts";

/** Everything that people see without the web application, and the interface for it. */
export function registerPages(pages: Pages, app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => failurePage(pages, error, request, reply));
    styleRoute(scope);
    const routes = pageRoutes(pages, scope);
    for (const add of [
      signInPages,
      passwordResetPages,
      authorizePages,
      profilePages,
      tokenPages,
      applicationPages,
      trailPages,
    ])
      add(routes);
  });
  app.register(async (scope) => sessionApi(pages, scope));
}
