import { BadRequest, Forbidden } from "../../../base/errors.ts";
import { list } from "../../../engine/list.ts";
import type { Clause } from "../../../engine/sql/clauses.ts";
import { parseFields, parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";

// Who is calling the service desk.

const maxPeople = 10;

/** People who can be reached under a number, however it is written. */
const buildTelephoneClause = (digits: string): Clause => ({
  key: "telephone",
  sql: (alias, next) =>
    `${alias}.id IN (SELECT person_id FROM contacts WHERE label IN ('work', 'mobile', 'home') AND telephone IS NOT NULL AND regexp_replace(telephone, '\\D', '', 'g') = ${next()})`,
  values: [digits],
});

export function serviceDeskRoutes(api: Api): Route[] {
  const person = api.engine.types.get("person");
  return [
    {
      method: "GET",
      path: "/sd",
      scope: { type: "person", action: "Read" },
      async handle(call) {
        if (!call.caller.roles.has("service_desk_analyst")) throw new Forbidden();
        const given = call.query.find(({ name }) => name === "telephone")?.value ?? "";
        const digits = given.replace(/\D/g, "");
        if (digits === "") throw new BadRequest("Parameter 'telephone' must be a telephone number");
        const query = {
          ...parseListQuery([], null),
          fields: parseFields(call.query) ?? person.outputFields,
          perPage: maxPeople,
        };
        const page = await list(call.engine, call.caller, person, query, {
          clause: buildTelephoneClause(digits),
          rights: "own",
        });
        return ok(`[${page.records.join(",")}]`);
      },
    },
  ];
}
