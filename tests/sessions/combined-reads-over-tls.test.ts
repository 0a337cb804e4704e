import { request } from "node:https";
import { expect, test } from "vitest";
import { beginSession } from "../support/clients/begin-session.ts";
import { tokenFor } from "../support/seed.ts";
import { certificateFile } from "../support/webhooks/receiver.ts";
import { world } from "../support/world.ts";

// Combined reads when the server itself terminates TLS: each read has the client address of the call.

const the = await world({
  env: { TLS_CERT: certificateFile("receiver.pem"), TLS_KEY: certificateFile("receiver.key") },
});
const { cookie, csrf } = await beginSession(the.sql, the.service.oauth.secret, "administrator", the.clock.now());
const [inside, outside] = ["127.0.0.1", "127.0.0.5"];

type Answer = { status: number; body: unknown };

/** Makes a call from an address of this machine. */
function call(
  localAddress: string,
  method: string,
  path: string,
  body: unknown,
  more: Record<string, string> = {},
): Promise<Answer> {
  const headers = {
    "Content-Type": "application/json",
    Cookie: `__Host-${cookie}`,
    "X-CSRF-Token": csrf,
    Authorization: `Bearer ${tokenFor("administrator")}`,
    account: "widget-it",
    ...more,
  };
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: new URL(the.url).port, localAddress, rejectUnauthorized: false };
    const sent = request({ ...options, method, path, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}

const readCombined = async (address: string, headers: Record<string, string> = {}) => {
  const { status, body } = await call(address, "POST", "/session-api/reads", { paths: ["/v1/requests"] }, headers);
  expect(status).toBe(200);
  return (body as Answer[])[0] as Answer;
};
const allowOnly = async (...networks: string[]) =>
  expect((await call(inside, "PATCH", "/v1/sign_in_policy", { api_networks: networks })).status).toBe(200);

test("a network rule allows reads from inside, and rejects all others", async () => {
  await allowOnly(inside);
  expect((await readCombined(inside)).status).toBe(200);
  expect(await readCombined(outside)).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/network/) },
  });
  await allowOnly(inside, outside);
  expect((await readCombined(outside)).status).toBe(200);
  await allowOnly(inside);
});

test("no client header changes the address of the reads", async () => {
  const attempts: Record<string, string>[] = [
    { "X-Forwarded-For": inside, "X-Forwarded-Proto": "https" },
    { "X-Real-IP": inside, Forwarded: `for=${inside}` },
    { "X-Dispatch-Key": "00000000-0000-4000-8000-000000000000" },
  ];
  for (const headers of attempts)
    expect([headers, (await readCombined(outside, headers)).status]).toEqual([headers, 403]);
});

test("URLs in the responses have the scheme of the call", async () => {
  await allowOnly();
  const list = await call(outside, "POST", "/session-api/reads", { paths: ["/v1/people?per_page=1"] });
  expect(JSON.stringify(list.body)).toContain("<https://127.0.0.1");
});
