import { usageOperations } from "../../../../records/answers/account.ts";
import {
  getMonthId,
  loadBillableUsers,
  loadUsageStatement,
  type Month,
  requireUsageAccount,
} from "../../../actions/usage-statements.ts";
import { BadRequest, NotFound } from "../../../base/errors.ts";
import type { Page } from "../../../engine/list.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseListQuery } from "../../http/parameters.ts";
import { type Call, ok, okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// CV30

const monthFilters = ["id", "year", "month"];

export function usageRoutes(): Route[] {
  const scope = { type: "account", action: "Read" } as const;
  return serve(usageOperations, {
    "GET /account/usage_statements": {
      scope,
      async handle(call) {
        const account = await requireUsageAccount(call.engine, call.caller);
        return respondWithMonths(call, filterMonths(account.months, call), async (month) => {
          const { billable_user_ids: _, ...summary } = await loadUsageStatement(call.engine, account, month);
          return summary;
        });
      },
    },
    "GET /account/usage_statements/:id": {
      scope,
      async handle(call) {
        const account = await requireUsageAccount(call.engine, call.caller);
        const month = account.months.find((each) => String(getMonthId(each)) === call.params.id);
        if (month === undefined) throw new NotFound();
        return ok(await loadUsageStatement(call.engine, account, month));
      },
    },
    "GET /account/billable_users": {
      scope,
      async handle(call) {
        const account = await requireUsageAccount(call.engine, call.caller);
        const isFiltered = call.query.some(({ name }) => monthFilters.includes(name));
        const month = isFiltered ? filterMonths(account.months, call)[0] : account.currentMonth;
        if (month === undefined) return okJson("[]");
        return okJson(`[${(await loadBillableUsers(call.engine, account, month)).join(",")}]`);
      },
    },
  });
}

/** The months that match ?id=, ?year= and ?month=. */
function filterMonths(months: readonly Month[], call: Call): Month[] {
  const { filters } = parseListQuery(call.query, null);
  const unknown = filters.filter(({ name }) => !monthFilters.includes(name));
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${unknown.map(({ name }) => name).join(", ")}`);
  for (const { name, value } of filters)
    if (!/^\d{1,6}$/.test(value)) throw new BadRequest(`Invalid value for field '${name}'`);
  const values = (month: Month): Record<string, number> => ({ ...month, id: getMonthId(month) });
  return months.filter((month) => filters.every(({ name, value }) => values(month)[name] === Number(value)));
}

/** Computed lists have no cursors: they are paged by number. */
async function respondWithMonths(call: Call, months: readonly Month[], load: (month: Month) => Promise<unknown>) {
  const query = parseListQuery(call.query, null);
  const [perPage, currentPage] = [query.perPage, query.page ?? 1];
  const rows = await Promise.all(months.slice((currentPage - 1) * perPage, currentPage * perPage).map(load));
  const page: Page = {
    records: rows.map((row) => JSON.stringify(row)),
    total: months.length,
    totalAge: 0,
    throttled: false,
    currentPage,
    totalPages: Math.ceil(months.length / perPage),
    hasPrevious: false,
    hasNext: false,
    startCursor: null,
    endCursor: null,
  };
  return respondWithPage(call, page, perPage);
}
