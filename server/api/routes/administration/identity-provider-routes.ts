import { identityLink, identityProviderOperations } from "../../../../records/answers/identity-providers.ts";
import { NotFound } from "../../../base/errors.ts";
import { createLink, deleteLink, listLinks } from "../../../oauth/providers/identity-links.ts";
import type { IdentityProvider } from "../../../oauth/providers/identity-provider.ts";
import {
  type ChangedBy,
  changeProvider,
  createProvider,
  deleteProvider,
  describeProvider,
  loadProviders,
  requireProvider,
} from "../../../oauth/providers/providers.ts";
import type { Providers } from "../../../oauth/providers/providers-context.ts";
import { testProvider } from "../../../oauth/providers/test-provider.ts";
import type { Action } from "../../../oauth/scopes/scopes.ts";
import { respondWithEntries } from "../../http/entry-fields.ts";
import { getClientAddress } from "../../http/origin.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, created, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// The identity providers that people of an account sign in with, for its administrators.

function parseId(call: Call, name = "id"): number {
  const text = call.params[name] ?? "";
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new NotFound();
  return Number(text);
}

export function identityProviderRoutes({ configuration }: Api, providers: Providers): Route[] {
  const { oauth } = providers;
  const scope = (action: Action) => ({ type: "identity-provider", action });
  const findChanger = (call: Call): ChangedBy => ({
    account: requireAdministeredAccount(call),
    person: call.caller.person,
    address: getClientAddress(configuration, call.request.raw),
  });
  const describe = (provider: IdentityProvider) => describeProvider(providers, provider);
  return serve(identityProviderOperations, {
    "GET /identity_providers": {
      scope: scope("Read"),
      async handle(call) {
        const all = await loadProviders(oauth, requireAdministeredAccount(call));
        return ok(all.map(describe));
      },
    },
    "POST /identity_providers": {
      needsRecentProof: true,
      scope: scope("Create"),
      handle: async (call) =>
        created(describe(await createProvider(providers, findChanger(call), (await call.body()).members))),
    },
    "GET /identity_providers/:id": {
      scope: scope("Read"),
      handle: async (call) =>
        ok(describe(await requireProvider(oauth, requireAdministeredAccount(call), parseId(call)))),
    },
    "PATCH /identity_providers/:id": {
      needsRecentProof: true,
      scope: scope("Update"),
      async handle(call) {
        const by = findChanger(call);
        return ok(describe(await changeProvider(providers, by, parseId(call), (await call.body()).members)));
      },
    },
    "DELETE /identity_providers/:id": {
      needsRecentProof: true,
      scope: scope("Delete"),
      async handle(call) {
        await deleteProvider(oauth, findChanger(call), parseId(call));
        return noContent;
      },
    },
    "POST /identity_providers/:id/test": {
      scope: scope("Update"),
      async handle(call) {
        const provider = await requireProvider(oauth, requireAdministeredAccount(call), parseId(call));
        return ok(await testProvider(providers, provider));
      },
    },
    "GET /identity_providers/:id/links": {
      scope: scope("Read"),
      async handle(call) {
        const { id } = await requireProvider(oauth, requireAdministeredAccount(call), parseId(call));
        const query = parseListQuery(call.query, null);
        const page = await listLinks(call.engine, call.caller, id, query);
        return respondWithEntries(call, query, page, identityLink);
      },
    },
    "POST /identity_providers/:id/links": {
      needsRecentProof: true,
      scope: scope("Update"),
      async handle(call) {
        const by = findChanger(call);
        return created(await createLink(oauth, by, parseId(call), (await call.body()).members));
      },
    },
    "DELETE /identity_providers/:id/links/:link_id": {
      needsRecentProof: true,
      scope: scope("Update"),
      async handle(call) {
        await deleteLink(oauth, findChanger(call), parseId(call), parseId(call, "link_id"));
        return noContent;
      },
    },
  });
}
