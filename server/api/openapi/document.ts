import { readFileSync } from "node:fs";
import type { TimeSlices } from "../../base/time-slices.ts";
import type { Route } from "../http/route.ts";
import { generalOperations } from "../routes/account/general-operations.ts";
import { permissionOperations } from "../routes/account/permission-operations.ts";
import { rightsOperations } from "../routes/account/rights-operations.ts";
import { administrationOperations } from "../routes/administration/administration-operations.ts";
import { identityProviderOperations } from "../routes/administration/identity-provider-operations.ts";
import { mailWordingOperations } from "../routes/administration/mail-wording-operations.ts";
import { personSignInOperations } from "../routes/administration/person-sign-in-operations.ts";
import { privacyOperations } from "../routes/administration/privacy-operations.ts";
import { requestLogOperations } from "../routes/administration/request-log-operations.ts";
import { scimOperations } from "../routes/administration/scim-operations.ts";
import { signInPolicyOperations } from "../routes/administration/sign-in-policy-operations.ts";
import { webhookDeliveryOperations } from "../routes/administration/webhook-delivery-operations.ts";
import { webhookOverviewOperations } from "../routes/administration/webhook-overview-operations.ts";
import { ciOperations } from "../routes/assets/ci-operations.ts";
import { automationOperations } from "../routes/automation/automation-operations.ts";
import { webhookOperations } from "../routes/automation/webhook-operations.ts";
import { attachmentOperations } from "../routes/data/attachment-operations.ts";
import { bulkChangeOperations } from "../routes/data/bulk-change-operations.ts";
import { exchangeOperations } from "../routes/data/exchange-operations.ts";
import { importOperations } from "../routes/data/import-operations.ts";
import { searchOperations } from "../routes/data/search-operations.ts";
import { shortUrlOperations } from "../routes/data/short-url-operations.ts";
import { boardOperations } from "../routes/planning/board-operations.ts";
import { reportScheduleOperations } from "../routes/planning/report-schedule-operations.ts";
import { workloadOperations } from "../routes/planning/workload-operations.ts";
import { listCountOperations } from "../routes/records/list-count-operations.ts";
import { recordOperations } from "../routes/records/record-operations.ts";
import { articleOperations } from "../routes/work/article-operations.ts";
import { audienceOperations } from "../routes/work/audience-operations.ts";
import { calendarOperations } from "../routes/work/calendar-operations.ts";
import { graphOperations } from "../routes/work/graph-operations.ts";
import { noteOperations } from "../routes/work/note-operations.ts";
import { recurrenceOperations } from "../routes/work/recurrence-operations.ts";
import { satisfactionOperations } from "../routes/work/satisfaction-operations.ts";
import { subscriptionOperations } from "../routes/work/subscription-operations.ts";
import { surveyOperations } from "../routes/work/survey-operations.ts";
import { targetOperations } from "../routes/work/target-operations.ts";
import { timesheetOperations } from "../routes/work/timesheet-operations.ts";
import { buildPathParameter } from "./common-parameters.ts";
import { Components, type OpenApiContext, type Schema } from "./components.ts";
import { introduction } from "./introduction.ts";
import { buildOperationObject, buildUndescribedOperation } from "./operation-object.ts";
import { buildSecurityRequirements, securitySchemes } from "./security.ts";
import { buildTag, pickTag } from "./tags.ts";

// The OpenAPI document: every route that is served, with its description.

export type OpenApiDocument = Schema & {
  paths: Record<string, Record<string, Schema>>;
  components: Record<string, Record<string, unknown>>;
};

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Takes most of a second, so it is divided: the first client that asks for the document must not hold up the others. */
export async function buildOpenApiDocument(
  source: Pick<OpenApiContext, "types" | "domain">,
  routes: readonly Route[],
  slices: TimeSlices,
): Promise<OpenApiDocument> {
  const context: OpenApiContext = { ...source, components: new Components() };
  const operations = new Map([
    ...context.types.all.flatMap((type) => recordOperations(context, type)),
    ...attachmentOperations(context),
    ...calendarOperations(context),
    ...exchangeOperations(context),
    ...importOperations(context),
    ...privacyOperations(context),
    ...bulkChangeOperations(context),
    ...permissionOperations(context),
    ...rightsOperations(context),
    ...noteOperations(context),
    ...targetOperations(context),
    ...graphOperations(context),
    ...recurrenceOperations(context),
    ...satisfactionOperations(context),
    ...subscriptionOperations(context),
    ...audienceOperations(context),
    ...articleOperations(context),
    ...surveyOperations(context),
    ...boardOperations(context),
    ...workloadOperations(context),
    ...reportScheduleOperations(context),
    ...webhookOperations(context),
    ...webhookDeliveryOperations(context),
    ...webhookOverviewOperations(context),
    ...requestLogOperations(context),
    ...administrationOperations(context),
    ...scimOperations(context),
    ...signInPolicyOperations(context),
    ...personSignInOperations(context),
    ...identityProviderOperations(context),
    ...mailWordingOperations(context),
    ...timesheetOperations(context),
    ...automationOperations(context),
    ...searchOperations(context),
    ...listCountOperations(context),
    ...shortUrlOperations(context),
    ...ciOperations(context),
    ...generalOperations(context),
  ]);
  const paths: OpenApiDocument["paths"] = {};
  const tags = new Set<string>();
  for (const route of routes) {
    await slices.pause();
    const operation = operations.get(`${route.method} ${route.path}`)?.() ?? buildUndescribedOperation(context, route);
    const tag = operation.tag ?? pickTag(context, route.path);
    tags.add(tag);
    const path = toOpenApiPath(route.path);
    paths[path] ??= buildPathItem(context, route.path);
    paths[path][route.method.toLowerCase()] = buildOperationObject(context, route, operation, tag);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Steward API",
      version,
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/v1", description: "this service" }],
    security: buildSecurityRequirements(null),
    tags: [...tags].sort(compareTags).map((name) => buildTag(context, name)),
    // "{" sorts after all letters: a collection comes first, then its predefined filters, one record, nested paths.
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: { ...context.components.all(), securitySchemes },
  };
}

/** /people/:id as /people/{id}. */
export const toOpenApiPath = (path: string): string => (path === "" ? "/" : path.replace(/:(\w+)/g, "{$1}"));

function buildPathItem(context: OpenApiContext, path: string): Record<string, Schema> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  // A path item holds its operations and the parameters that they share.
  return names.length === 0 ? {} : { parameters: names.map((name) => buildPathParameter(context, name)) as never };
}

const compareTags = (one: string, other: string) =>
  Number(other === "General") - Number(one === "General") || (one.toLowerCase() < other.toLowerCase() ? -1 : 1);
