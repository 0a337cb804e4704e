import type { Role } from "../seed.ts";
import type { Reply, World } from "../world.ts";

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the document selects; tests look at single members
export type GraphqlReply = Reply & { data: any; errors: any[] | undefined };

export type GraphqlClient = (
  query: string,
  variables?: Record<string, unknown>,
  headers?: Record<string, string>,
) => Promise<GraphqlReply>;

/** Sends documents on behalf of a person. */
export const graphqlClient =
  (the: Pick<World, "as" | "url">, role: Role, standing: Record<string, string> = {}): GraphqlClient =>
  async (query, variables, headers = {}) => {
    const body = { query, ...(variables === undefined ? {} : { variables }) };
    const reply = await the.as(role, standing).post(`${the.url}/graphql`, body, headers);
    return { ...reply, data: reply.body?.data, errors: reply.body?.errors };
  };
