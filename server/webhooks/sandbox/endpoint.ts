import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { NotFound } from "../../base/errors.ts";
import type { Webhooks } from "../webhooks-context.ts";
import { receiveMessage } from "./receive.ts";
import { findSandbox } from "./sandboxes.ts";

// The address of a sandbox over HTTP, for testing programs without a webhook. Clients that know it may send; only
// the account reads.

const maxBytes = 65_536;

export const sandboxEndpoint = (webhooks: Webhooks) => async (app: FastifyInstance) => {
  app.route({
    method: ["POST", "PUT"],
    url: "/sandbox/:key",
    bodyLimit: maxBytes,
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { key } = request.params as { key: string };
      const sandbox = /^[a-z0-9]{32}$/.test(key)
        ? await findSandbox(webhooks.engine.database, key, webhooks.engine.clock.now())
        : null;
      if (sandbox === null) throw new NotFound();
      const [, query = ""] = request.url.split("?");
      const body = Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "";
      await receiveMessage(webhooks, sandbox, { method: request.method, query, headers: request.headers, body });
      // Never what was sent: the address must not become a place to publish pages on.
      reply.header("Cache-Control", "no-store").type("text/plain; charset=utf-8");
      return reply.code(sandbox.status).send(sandbox.status === 204 || sandbox.status === 304 ? "" : "sandbox");
    },
  });
};
