import { describeSampleWork, requestSampleRemoval } from "../actions/sample-work/remove-sample-work.ts";
import type { SessionRoute } from "./session-routes.ts";

/** GET /sample-work: what is left of the work of the demo company. DELETE {name} removes it; `name` is that of the account. */
export const sampleWorkRoutes: readonly SessionRoute[] = [
  {
    method: "GET",
    path: "/sample-work",
    handle: (visit, { account = "" }) => describeSampleWork(visit.pages.engine, account),
  },
  {
    method: "DELETE",
    path: "/sample-work",
    status: 202,
    async handle(visit, { account = "" }, { name }) {
      await requestSampleRemoval(visit.pages.engine, account, name);
      return describeSampleWork(visit.pages.engine, account);
    },
  },
];
