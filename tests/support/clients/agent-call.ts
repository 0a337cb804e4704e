import { type Agent, type IncomingHttpHeaders, request } from "node:http";

// HTTP calls of tools that make many of them. An agent's connections are cheaper than fetch's.

export type AgentAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** Returns null if the connection breaks before the response is complete. */
export function callWithAgent(
  agent: Agent,
  url: string,
  { method = "GET", headers, body }: { method?: string; headers: Record<string, string>; body?: string | undefined },
): Promise<AgentAnswer | null> {
  return new Promise((resolve) => {
    const sent = request(url, { method, agent, headers }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      reply.on("error", () => resolve(null));
      reply.on("close", () =>
        resolve(reply.complete ? { status: reply.statusCode ?? 0, headers: reply.headers, text } : null),
      );
    });
    sent.on("error", () => resolve(null));
    sent.end(body);
  });
}
