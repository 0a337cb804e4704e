import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { NotFound } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { buildIssuer } from "../sign.ts";
import { buildJwks, isAsymmetric, unseal } from "../signing-keys.ts";
import { verifyWebhook } from "../verification.ts";
import type { Webhooks } from "../webhooks-context.ts";

// Endpoints for receivers, without credentials: the callback of a verification and the public keys of policies.

type Params = { account: string; id: string; policy: string };

const findPolicy = statement(
  `SELECT p.jwt_alg, p.sealed_key FROM webhook_policies p WHERE p.account_id = $1 AND p.name = $2
AND EXISTS (SELECT 1 FROM webhooks w WHERE w.webhook_policy_id = p.id AND w.openid_connect_discovery)`,
);

export const webhookEndpoints = (webhooks: Webhooks) => async (app: FastifyInstance) => {
  const callback = async (request: FastifyRequest, reply: FastifyReply) => {
    const { account, id } = request.params as Params;
    const { code } = request.query as { code?: unknown };
    if (!/^\d{1,9}$/.test(id) || typeof code !== "string") throw new NotFound();
    await verifyWebhook(webhooks, account, Number(id), code);
    return reply.header("Cache-Control", "no-store").type("text/plain; charset=utf-8").send("Verification successful");
  };
  const url = "/a/:account/webhooks/:id/verify";
  // A HEAD request of a link checker must not verify the webhook.
  app.route({ method: "GET", url, exposeHeadRoute: false, handler: callback });
  app.route({ method: "POST", url, handler: callback });

  const loadKeys = async (request: FastifyRequest) => {
    const { account, policy } = request.params as Params;
    const [row] = await webhooks.engine.database.read(findPolicy, [account, policy]);
    if (row === undefined || !isAsymmetric(row[0] as string)) throw new NotFound();
    const issuer = buildIssuer(webhooks.getAccountUrl(account), policy);
    return { issuer, keys: unseal(webhooks.secret, policy, row[1] as string), alg: (row[0] as string).toUpperCase() };
  };
  const answer = (reply: FastifyReply, body: object) =>
    reply
      .header("Cache-Control", "public, max-age=3600")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(body));
  const base = "/a/:account/webhook_policies/:policy";
  app.get(`${base}/.well-known/openid-configuration`, async (request, reply) => {
    const { issuer, alg } = await loadKeys(request);
    return answer(reply, {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["none"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [alg],
    });
  });
  app.get(`${base}/jwks`, async (request, reply) => {
    const { keys } = await loadKeys(request);
    return answer(reply, { keys: buildJwks(keys, webhooks.engine.clock.now()) });
  });
};
