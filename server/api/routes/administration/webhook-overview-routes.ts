import { accountDeliveryOperations } from "../../../../records/answers/webhook-deliveries.ts";
import { webhookRotationOperations, webhookSandboxOperations } from "../../../../records/answers/webhook-sandboxes.ts";
import { Forbidden, NotFound } from "../../../base/errors.ts";
import { hasAnyGrant } from "../../../engine/access.ts";
import { requireRecord } from "../../../engine/find.ts";
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
import type { Webhooks } from "../../../webhooks/webhooks-context.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getParameter, parseNumberParameter } from "../../http/parameters.ts";
import { type Call, createdJson, noContent, ok, okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// All webhooks of an account together, receivers to try them with, and new keys for their policies.

export const webhookOverviewRoutes = (webhooks: Webhooks): Route[] => [
  ...accountDeliveryRoutes(webhooks),
  ...sandboxRoutes(webhooks),
  ...rotationRoutes(webhooks),
];

const read = { type: "webhook", action: "Read" } as const;
const update = { type: "webhook", action: "Update" } as const;

function require({ caller, engine }: Call, operation: "read" | "update"): void {
  if (!hasAnyGrant(engine.types.get("webhook"), operation, caller)) throw new Forbidden();
}

function accountDeliveryRoutes(webhooks: Webhooks): Route[] {
  return serve(accountDeliveryOperations, {
    "GET /webhook_deliveries": {
      scope: read,
      async handle(call) {
        require(call, "read");
        return okJson(await listAccountDeliveries(webhooks, call.caller, parseFilter(call)));
      },
    },
    "GET /webhook_delivery_statistics": {
      scope: read,
      async handle(call) {
        require(call, "read");
        const hours = parseNumberParameter(call.query, "hours", 24 * 30) ?? 48;
        return okJson(await countDeliveries(webhooks, call.caller, parseFilter(call), hours));
      },
    },
    "POST /webhook_redeliveries": {
      scope: update,
      async handle(call) {
        require(call, "update");
        const { members } = await call.body();
        return ok(await recoverDeliveries(webhooks, call.caller.account, members));
      },
    },
  });
}

function sandboxRoutes(webhooks: Webhooks): Route[] {
  return serve(webhookSandboxOperations, {
    "GET /webhook_sandboxes": {
      scope: read,
      async handle(call) {
        require(call, "update");
        return okJson(await listSandboxes(webhooks, call.caller));
      },
    },
    "POST /webhook_sandboxes": {
      scope: update,
      async handle(call) {
        require(call, "update");
        return createdJson(await createSandbox(webhooks, call.caller));
      },
    },
    "PATCH /webhook_sandboxes/:key": {
      scope: update,
      async handle(call) {
        require(call, "update");
        const { members } = await call.body();
        return okJson(await updateSandbox(webhooks, call.caller, parseKey(call), members));
      },
    },
    "DELETE /webhook_sandboxes/:key": {
      scope: update,
      async handle(call) {
        require(call, "update");
        await deleteSandbox(webhooks, call.caller, parseKey(call));
        return noContent;
      },
    },
    "GET /webhook_sandboxes/:key/messages": {
      scope: read,
      async handle(call) {
        require(call, "update");
        const after = parseNumberParameter(call.query, "after", Number.MAX_SAFE_INTEGER) ?? 0;
        return okJson(await listMessages(webhooks, call.caller, parseKey(call), after));
      },
    },
  });
}

function rotationRoutes(webhooks: Webhooks): Route[] {
  const policy = webhooks.engine.types.get("webhook_policy");
  const changeKey = { type: policy.scopeName, action: "Update" } as const;
  const requirePolicy = async (call: Call): Promise<number> => {
    const id = parseRecordId(call.params.id, policy, webhooks.domain);
    await requireRecord(call.engine, call.caller, policy, id, "update");
    return id;
  };
  return serve(webhookRotationOperations, {
    "GET /webhook_policies/:id/rotation": {
      scope: { type: policy.scopeName, action: "Read" },
      async handle(call) {
        return ok(await loadRotation(webhooks, call.caller, await requirePolicy(call)));
      },
    },
    "POST /webhook_policies/:id/rotation": {
      scope: changeKey,
      async handle(call) {
        const id = await requirePolicy(call);
        const { members } = await call.body();
        return ok(await startRotation(webhooks, call.caller, id, members));
      },
    },
    "PATCH /webhook_policies/:id/rotation": {
      scope: changeKey,
      async handle(call) {
        return ok(await endRotation(webhooks, call.caller, await requirePolicy(call), "use"));
      },
    },
    "DELETE /webhook_policies/:id/rotation": {
      scope: changeKey,
      async handle(call) {
        return ok(await endRotation(webhooks, call.caller, await requirePolicy(call), "cancel"));
      },
    },
  });
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
