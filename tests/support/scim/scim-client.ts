import { expect } from "vitest";
import { until } from "../waiting.ts";
import { type Client, createClient, type World } from "../world.ts";

// A provisioning client for stories: an account with a token, and calls in SCIM format.

type Members = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent; tests look at single members
type Body = any;
export type ScimReply = { status: number; headers: Headers; body: Body };

export const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const patchOp = (...Operations: Members[]): Members => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations,
});

export function scimClient({ url }: World, token: string | null, headers: Record<string, string> = {}) {
  const client = createClient(url, { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...headers });
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ): Promise<ScimReply> => {
    const reply = await client.send(method, path.startsWith("/scim") ? path : `/scim/v2${path}`, body, more);
    return { status: reply.status, headers: reply.headers, body: reply.text === "" ? null : JSON.parse(reply.text) };
  };
  const get = (path: string, more?: Record<string, string>) => send("GET", path, undefined, more);
  const post = (path: string, body?: unknown) => send("POST", path, body);
  const patch = (path: string, body: unknown, more?: Record<string, string>) => send("PATCH", path, body, more);
  const put = (path: string, body: unknown, more?: Record<string, string>) => send("PUT", path, body, more);
  const create = async (path: string, body: Members): Promise<Body> => {
    const reply = await post(path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body;
  };
  return {
    ...{ send, get, post, patch, put },
    remove: (path: string, more?: Record<string, string>) => send("DELETE", path, undefined, more),
    user: (members: Members) => create("/Users", members),
    group: (members: Members) => create("/Groups", members),
    /** The IDs that a filter finds, or the error status. */
    async found(path: string, filter: string): Promise<string[] | string> {
      const { status, body } = await get(`${path}?filter=${encodeURIComponent(filter)}&count=25`);
      if (status !== 200) return `${status} ${body.scimType}`;
      expect(body.totalResults).toBe(body.Resources.length);
      return body.Resources.map(({ id }: { id: string }) => id);
    },
  };
}

/** Turns provisioning on and returns the token. */
export async function enableProvisioning(admin: Client): Promise<string> {
  const { status, body, text } = await admin.post("/scim/tokens");
  expect(status, text).toBe(201);
  return body.token;
}

/** Waits until no rule is left to run. */
export const runDueRules = ({ service, sql }: World): Promise<void> =>
  until(async () => {
    await service.scimWorker.runDue();
    const [row] = await sql("SELECT count(*) FROM jobs WHERE kind IN ('scim', 'scim reprocess')");
    return Number(row?.count) === 0;
  });
