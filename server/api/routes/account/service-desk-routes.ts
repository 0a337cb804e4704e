import { serviceDeskOperations } from "../../../../records/answers/account.ts";
import { findPeopleByTelephone, requireServiceDeskAnalyst } from "../../../actions/people-by-telephone.ts";
import { BadRequest } from "../../../base/errors.ts";
import { parseFields, parseListQuery } from "../../http/parameters.ts";
import { okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

const maxPeople = 10;

/** GET /sd?telephone=: the people who can be reached under a number. */
export function serviceDeskRoutes(): Route[] {
  return serve(serviceDeskOperations, {
    "GET /sd": {
      scope: { type: "person", action: "Read" },
      async handle(call) {
        requireServiceDeskAnalyst(call.caller);
        const digits = (call.query.find(({ name }) => name === "telephone")?.value ?? "").replace(/\D/g, "");
        if (digits === "") throw new BadRequest("Parameter 'telephone' must be a telephone number");
        const query = {
          ...parseListQuery([], null),
          fields: parseFields(call.query) ?? call.engine.types.get("person").outputFields,
          perPage: maxPeople,
        };
        return okJson(`[${(await findPeopleByTelephone(call.engine, call.caller, digits, query)).join(",")}]`);
      },
    },
  });
}
