import { NotFound } from "../../../base/errors.ts";
import type { Providers } from "../../../oauth/providers/context.ts";
import { createLink, deleteLink, listLinks } from "../../../oauth/providers/identity-links.ts";
import {
  type ChangedBy,
  changeProvider,
  createProvider,
  deleteProvider,
  describeProvider,
  loadProviders,
  requireProvider,
} from "../../../oauth/providers/providers.ts";
import { testProvider } from "../../../oauth/providers/test-provider.ts";
import type { Action } from "../../../oauth/scopes/scopes.ts";
import { respondWithEntries } from "../../http/entry-fields.ts";
import { getClientAddress } from "../../http/origin.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, created, noContent, ok, type Route } from "../../http/route.ts";
import { linkEntry } from "./identity-provider-operations.ts";
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
  const describe = (provider: Parameters<typeof describeProvider>[1]) =>
    JSON.stringify(describeProvider(providers, provider));
  return [
    {
      method: "GET",
      path: "/identity_providers",
      scope: scope("Read"),
      async handle(call) {
        const all = await loadProviders(oauth, requireAdministeredAccount(call));
        return ok(JSON.stringify(all.map((provider) => describeProvider(providers, provider))));
      },
    },
    {
      method: "POST",
      path: "/identity_providers",
      needsRecentProof: true,
      scope: scope("Create"),
      handle: async (call) =>
        created(describe(await createProvider(providers, findChanger(call), (await call.body()).members))),
    },
    {
      method: "GET",
      path: "/identity_providers/:id",
      scope: scope("Read"),
      handle: async (call) =>
        ok(describe(await requireProvider(oauth, requireAdministeredAccount(call), parseId(call)))),
    },
    {
      method: "PATCH",
      path: "/identity_providers/:id",
      needsRecentProof: true,
      scope: scope("Update"),
      async handle(call) {
        const by = findChanger(call);
        return ok(describe(await changeProvider(providers, by, parseId(call), (await call.body()).members)));
      },
    },
    {
      method: "DELETE",
      path: "/identity_providers/:id",
      needsRecentProof: true,
      scope: scope("Delete"),
      async handle(call) {
        await deleteProvider(oauth, findChanger(call), parseId(call));
        return noContent;
      },
    },
    {
      method: "POST",
      path: "/identity_providers/:id/test",
      scope: scope("Update"),
      async handle(call) {
        const provider = await requireProvider(oauth, requireAdministeredAccount(call), parseId(call));
        return ok(JSON.stringify(await testProvider(providers, provider)));
      },
    },
    {
      method: "GET",
      path: "/identity_providers/:id/links",
      scope: scope("Read"),
      async handle(call) {
        const { id } = await requireProvider(oauth, requireAdministeredAccount(call), parseId(call));
        const query = parseListQuery(call.query, null);
        const page = await listLinks(call.engine, call.caller, id, query);
        return respondWithEntries(call, query, page, linkEntry);
      },
    },
    {
      method: "POST",
      path: "/identity_providers/:id/links",
      needsRecentProof: true,
      scope: scope("Update"),
      async handle(call) {
        const by = findChanger(call);
        return created(JSON.stringify(await createLink(oauth, by, parseId(call), (await call.body()).members)));
      },
    },
    {
      method: "DELETE",
      path: "/identity_providers/:id/links/:link_id",
      needsRecentProof: true,
      scope: scope("Update"),
      async handle(call) {
        await deleteLink(oauth, findChanger(call), parseId(call), parseId(call, "link_id"));
        return noContent;
      },
    },
  ];
}
