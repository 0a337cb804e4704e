import { Forbidden, NotFound } from "../../../base/errors.ts";
import { hasAnyGrant } from "../../../engine/access.ts";
import { requireRecord } from "../../../engine/find.ts";
import type { Webhooks } from "../../../webhooks/context.ts";
import {
  countDeliveries,
  type DeliveryFilter,
  listAccountDeliveries,
  recoverDeliveries,
} from "../../../webhooks/overview/account-deliveries.ts";
import { endRotation, loadRotation, startRotation } from "../../../webhooks/overview/rotation.ts";
import {
  createSandbox,
  deleteSandbox,
  listMessages,
  listSandboxes,
  updateSandbox,
} from "../../../webhooks/sandbox/sandboxes.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getParameter, parseNumberParameter } from "../../http/parameters.ts";
import { type Call, created, noContent, ok, type Route } from "../../http/route.ts";

// All webhooks of an account together, receivers to try them with, and new keys for their policies.

export function webhookOverviewRoutes(webhooks: Webhooks): Route[] {
  const type = webhooks.engine.types.get("webhook");
  const policy = webhooks.engine.types.get("webhook_policy");
  const read = { type: type.scopeName, action: "Read" } as const;
  const update = { type: type.scopeName, action: "Update" } as const;
  const changeKey = { type: policy.scopeName, action: "Update" } as const;
  const require = ({ caller }: Call, operation: "read" | "update") => {
    if (!hasAnyGrant(type, operation, caller)) throw new Forbidden();
  };
  const requirePolicy = async (call: Call): Promise<number> => {
    const id = parseRecordId(call.params.id, policy, webhooks.domain);
    await requireRecord(call.engine, call.caller, policy, id, "update");
    return id;
  };
  return [
    {
      method: "GET",
      path: "/webhook_deliveries",
      scope: read,
      async handle(call) {
        require(call, "read");
        return ok(await listAccountDeliveries(webhooks, call.caller, parseFilter(call)));
      },
    },
    {
      method: "GET",
      path: "/webhook_delivery_statistics",
      scope: read,
      async handle(call) {
        require(call, "read");
        const hours = parseNumberParameter(call.query, "hours", 24 * 30) ?? 48;
        return ok(await countDeliveries(webhooks, call.caller, parseFilter(call), hours));
      },
    },
    {
      method: "POST",
      path: "/webhook_redeliveries",
      scope: update,
      async handle(call) {
        require(call, "update");
        const { members } = await call.body();
        return ok(JSON.stringify(await recoverDeliveries(webhooks, call.caller.account, members)));
      },
    },
    {
      method: "GET",
      path: "/webhook_sandboxes",
      scope: read,
      async handle(call) {
        require(call, "update");
        return ok(await listSandboxes(webhooks, call.caller));
      },
    },
    {
      method: "POST",
      path: "/webhook_sandboxes",
      scope: update,
      async handle(call) {
        require(call, "update");
        return created(await createSandbox(webhooks, call.caller));
      },
    },
    {
      method: "PATCH",
      path: "/webhook_sandboxes/:key",
      scope: update,
      async handle(call) {
        require(call, "update");
        const { members } = await call.body();
        return ok(await updateSandbox(webhooks, call.caller, parseKey(call), members));
      },
    },
    {
      method: "DELETE",
      path: "/webhook_sandboxes/:key",
      scope: update,
      async handle(call) {
        require(call, "update");
        await deleteSandbox(webhooks, call.caller, parseKey(call));
        return noContent;
      },
    },
    {
      method: "GET",
      path: "/webhook_sandboxes/:key/messages",
      scope: read,
      async handle(call) {
        require(call, "update");
        const after = parseNumberParameter(call.query, "after", Number.MAX_SAFE_INTEGER) ?? 0;
        return ok(await listMessages(webhooks, call.caller, parseKey(call), after));
      },
    },
    {
      method: "GET",
      path: "/webhook_policies/:id/rotation",
      scope: { type: policy.scopeName, action: "Read" },
      async handle(call) {
        return ok(JSON.stringify(await loadRotation(webhooks, call.caller, await requirePolicy(call))));
      },
    },
    {
      method: "POST",
      path: "/webhook_policies/:id/rotation",
      scope: changeKey,
      async handle(call) {
        const id = await requirePolicy(call);
        const { members } = await call.body();
        return ok(JSON.stringify(await startRotation(webhooks, call.caller, id, members)));
      },
    },
    {
      method: "PATCH",
      path: "/webhook_policies/:id/rotation",
      scope: changeKey,
      async handle(call) {
        return ok(JSON.stringify(await endRotation(webhooks, call.caller, await requirePolicy(call), "use")));
      },
    },
    {
      method: "DELETE",
      path: "/webhook_policies/:id/rotation",
      scope: changeKey,
      async handle(call) {
        return ok(JSON.stringify(await endRotation(webhooks, call.caller, await requirePolicy(call), "cancel")));
      },
    },
  ];
}

function parseFilter(call: Call): DeliveryFilter {
  const maxId = 2_147_483_647;
  const members = {
    webhook: parseNumberParameter(call.query, "webhook_id", maxId),
    receiver: getParameter(call.query, "receiver"),
    state: getParameter(call.query, "state"),
    event: getParameter(call.query, "event"),
    record: parseNumberParameter(call.query, "record", maxId),
    before: parseNumberParameter(call.query, "before", Number.MAX_SAFE_INTEGER),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as DeliveryFilter;
}

function parseKey({ params }: Call): string {
  const { key = "" } = params;
  if (!/^[a-z0-9]{32}$/.test(key)) throw new NotFound();
  return key;
}
