import { portalOperations } from "../../../../records/answers/portal.ts";
import { portalFormOperations } from "../../../../records/answers/portal-forms.ts";
import { addWatcherByEmail, removeWatcher } from "../../../actions/portal/add-watcher.ts";
import { loadApproval, loadDecidedApprovals, loadOpenApprovals } from "../../../actions/portal/approvals.ts";
import { loadShopArticleForm } from "../../../actions/portal/extension-form.ts";
import { loadBroadcasts, loadPortalHome } from "../../../actions/portal/load-home.ts";
import { listOwnRequests, parseSelection } from "../../../actions/portal/own-requests.ts";
import { loadRequestForm } from "../../../actions/portal/request-form.ts";
import { loadRequestProgress } from "../../../actions/portal/request-progress.ts";
import { Forbidden } from "../../../base/errors.ts";
import { listReachableAccounts } from "../../../engine/caller.ts";
import { buildSurveyUrl } from "../../../notifications/survey-links.ts";
import { type AskedSurvey, loadSurveyAfter } from "../../../rules/communication/asked-survey.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getParameter } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, created, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { needScopes } from "./needed-scopes.ts";

/** The portal for requesters: the first page, forms, their requests, and approvals requested from them. */
export function portalRoutes(api: Api): Route[] {
  const { types } = api.engine;
  const [request, task, watch] = [types.get("request"), types.get("task"), types.get("watch")];
  const [template, shopArticle] = [types.get("request_template"), types.get("shop_article")];
  const parseRequest = ({ params }: Call) => parseRecordId(params.id, request, api.domain);
  const forms = serve(portalFormOperations, {
    "GET /portal/forms/:id": {
      ...needScopes(types, ["request_template", "Read"]),
      handle: async ({ engine, caller, params }) =>
        ok(await loadRequestForm(engine, caller, parseRecordId(params.id, template, api.domain))),
    },
    "GET /portal/shop_articles/:id/form": {
      ...needScopes(types, ["shop_article", "Read"]),
      handle: async ({ engine, caller, params }) =>
        ok(await loadShopArticleForm(engine, caller, parseRecordId(params.id, shopArticle, api.domain))),
    },
  });
  const others = serve(portalOperations, {
    "GET /portal": {
      ...needScopes(
        types,
        ["request", "Read"],
        ["broadcast", "Read"],
        ["task", "Read"],
        ["request_template", "Read"],
        ["service", "Read"],
        ["knowledge_article", "Read"],
        ["shop_article", "Read"],
        ["reservation_offering", "Read"],
      ),
      handle: async ({ engine, caller }) => ok(await loadPortalHome(engine, caller)),
    },
    "GET /portal/broadcasts": {
      ...needScopes(types, ["broadcast", "Read"]),
      handle: async ({ engine, caller }) => ok(await loadBroadcasts(engine, caller)),
    },
    "GET /portal/requests": {
      ...needScopes(types, ["request", "Read"]),
      handle: async ({ engine, caller, query }) =>
        ok(await listOwnRequests(engine, caller, parseSelection(getParameter(query, "show")))),
    },
    "GET /portal/requests/:id": {
      ...needScopes(types, ["request", "Read"], ["shop_order_line", "Read"]),
      async handle(call) {
        const { engine, caller: by } = call;
        const id = parseRequest(call);
        const [progress, survey] = await Promise.all([
          loadRequestProgress(engine, by, id),
          loadSurveyAfter(engine, { id, accounts: listReachableAccounts(by) }, by.person),
        ]);
        return ok({ ...progress, survey: survey === null ? null : buildSurveyCard(api, call, survey) });
      },
    },
    "POST /portal/requests/:id/watchers": {
      ...needScopes(types, ["request", "Update"]),
      async handle(call) {
        const { email } = (await call.body()).members;
        return created(await addWatcherByEmail(call.engine, call.caller, parseRequest(call), email));
      },
    },
    "DELETE /portal/requests/:id/watchers/:watch": {
      ...needScopes(types, ["request", "Update"]),
      async handle(call) {
        const id = parseRecordId(call.params.watch, watch, api.domain);
        await removeWatcher(call.engine, call.caller, parseRequest(call), id);
        return noContent;
      },
    },
    "GET /portal/approvals": {
      ...needScopes(types, ["task", "Read"]),
      async handle({ engine, caller }) {
        const [open, decided] = await Promise.all([
          loadOpenApprovals(engine, caller),
          loadDecidedApprovals(engine, caller),
        ]);
        return ok({ open, decided });
      },
    },
    "GET /portal/approvals/:id": {
      ...needScopes(types, ["task", "Read"]),
      async handle({ engine, caller, params }) {
        const approval = await loadApproval(engine, caller, parseRecordId(params.id, task, api.domain));
        if (approval === null) throw new Forbidden();
        return ok(approval);
      },
    },
  });
  return [...forms, ...others];
}

/** SV7: the page of the survey needs no session, like the link in an email. */
const buildSurveyCard = ({ secret }: Api, { origin, caller }: Call, { survey, service }: AskedSurvey) => ({
  name: survey.name,
  service: service.name,
  url: buildSurveyUrl({ secret, origin: () => origin }, service.id, caller.person),
});
