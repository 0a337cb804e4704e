import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { atFileEnd } from "../support/cleanup.ts";
import { SchemaCheck } from "../support/clients/json-schema.ts";
import { runCommandHere } from "../support/processes/command-line.ts";
import { world } from "../support/world.ts";

// Setting up identity providers. provider-sign-in.test.ts tests signing in with them.

const at = await world();
const admin = at.as("administrator");
const secret = "a secret that only the provider knows";
const provider = {
  ...{ name: "Widget login", reference: "widget", issuer: "https://login.widget.example" },
  ...{ client_id: "steward", client_secret: secret, domains: ["Widget.Example"] },
};

/** A provider whose responses each test sets. */
let respond: RequestListener = (_request, response) => response.end();
const server = createServer((request, response) => respond(request, response));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
atFileEnd(async () => {
  server.closeAllConnections();
  server.close();
});
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const respondWith = (metadata: Record<string, unknown>) => {
  respond = (_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(metadata));
  };
};
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  keys: [{ kty: "oct" }],
};

test("administrators add, change and remove a provider; the secret is never shown, and the trail names the person", async () => {
  const { status, body } = await admin.post("/identity_providers", provider);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...{ name: "Widget login", has_client_secret: true, domains: ["widget.example"], identifier: "email" },
    ...{ create_people: false, enforced: false, disabled: false },
    ...{ start_url: `${at.url}/a/widget-it/sso/widget`, callback_url: `${at.url}/sso/callback` },
  });
  const path = `/identity_providers/${body.id}`;
  const changed = await admin.patch(path, {
    claims: { job_title: "title" },
    enforced: true,
    client_secret: "another one",
  });
  expect(changed.body).toMatchObject({ enforced: true, claims: { job_title: "title", name: "name" } });
  expect((await admin.patch(path, { client_secret: null })).body.has_client_secret).toBe(false);
  expect((await admin.get(path)).body.name).toBe("Widget login");

  const document = (await at.nobody.get("/openapi.json")).body;
  const check = new SchemaCheck(document);
  const { schema } = (
    check.part(document.paths["/identity_providers/{id}"].get.responses[200]).content as Record<
      string,
      { schema: unknown }
    >
  )["application/json"] as { schema: unknown };
  expect(check.problems(schema, changed.body)).toEqual([]);

  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.get(path)).status).toBe(404);
  const trail = (await admin.get("/security_trail")).body.map(({ event }: { event: string }) => event);
  expect(trail.slice(0, 4)).toEqual([
    "identity-provider-deleted",
    "identity-provider-changed",
    "identity-provider-changed",
    "identity-provider-created",
  ]);
  const stored = JSON.stringify([await at.sql("SELECT * FROM security_events"), at.log, body, changed.body]);
  for (const text of [secret, "another one"]) expect(stored).not.toContain(text);
});

test.each([
  [{ name: "" }, "name"],
  [{ reference: "Not Plain" }, "reference"],
  [{ issuer: "http://login.widget.example" }, "issuer"],
  [{ issuer: "https://10.0.0.7" }, "issuer"],
  [{ issuer: "https://login.widget.example:5432" }, "issuer"],
  [{ issuer: "https://me:secret@login.widget.example" }, "issuer"],
  [{ issuer: "https://login.widget.example?x=1" }, "issuer"],
  [{ issuer: "ftp://login.widget.example" }, "issuer"],
  [{ domains: ["widget"] }, "domains"],
  [{ domains: "widget.example" }, "domains"],
  [{ scopes: "email" }, "scopes"],
  [{ identifier: "name" }, "identifier"],
  [{ claims: { roles: "groups" } }, "claims"],
  [{ claims: [] }, "claims"],
  [{ organization_id: 5 }, "organization_id"],
  [{ organization_id: "1" }, "organization_id"],
  [{ enforced: "yes" }, "enforced"],
  [{ client_secret: "" }, "client_secret"],
  [{ client_id: "a\0b" }, "client_id"],
  [{ colour: "red" }, "colour"],
])("%o is rejected", async (members, field) => {
  const { status, body } = await admin.post("/identity_providers", { ...provider, ...members });
  expect([status, body.errors?.map((each: { field?: string }) => each.field ?? "") ?? body]).toEqual([
    422,
    expect.anything(),
  ]);
  expect(JSON.stringify(body)).toContain(field);
});

test("a reference is unique in an account, and missing fields are named", async () => {
  const { body } = await admin.post("/identity_providers", provider);
  expect((await admin.post("/identity_providers", provider)).status).toBe(422);
  const missing = JSON.stringify((await admin.post("/identity_providers", {})).body);
  for (const field of ["name", "reference", "issuer", "client_id"]) expect(missing).toContain(field);
  expect((await at.as("stranger").post("/identity_providers", provider)).status).toBe(201);

  // Only administrators of the account have access.
  const path = `/identity_providers/${body.id}`;
  for (const role of ["specialist", "auditor", "requester"] as const) {
    const client = at.as(role, { account: "widget-it" });
    for (const [method, address] of [
      ...[
        ["GET", path],
        ["PATCH", path],
        ["DELETE", path],
        ["POST", `${path}/test`],
        ["GET", `${path}/links`],
      ],
      ...[
        ["POST", `${path}/links`],
        ["DELETE", `${path}/links/1`],
        ["GET", "/identity_providers"],
      ],
      ["POST", "/identity_providers"],
    ] as [string, string][])
      expect([
        role,
        method,
        address,
        (await client.send(method, address, method === "GET" ? undefined : {})).status,
      ]).toEqual([role, method, address, 403]);
  }
  const stella = at.as("stranger");
  expect((await stella.get(path)).status).toBe(404);
  expect((await stella.patch(path, { name: "Mine" })).status).toBe(404);
  expect((await stella.delete(path)).status).toBe(404);
  expect((await stella.get(`${path}/links`)).status).toBe(404);
  expect((await stella.post(`${path}/links`, { person_id: 7, subject: "x" })).status).toBe(404);
  for (const id of ["0", "x", "99999999999"]) expect((await admin.get(`/identity_providers/${id}`)).status).toBe(404);
});

test("the connection test reports problems, and calls no internal address", async () => {
  const { body } = await admin.post("/identity_providers", { ...provider, reference: "local", issuer });
  const run = async () => (await admin.post(`/identity_providers/${body.id}/test`)).body;
  respondWith(metadata);
  expect(await run()).toEqual({
    works: true,
    problem: null,
    authorization_endpoint: `${issuer}/authorize`,
    signs_out: false,
  });
  respondWith({ ...metadata, issuer: `${issuer}/` });
  expect((await run()).problem).toBe(`the provider calls itself ${issuer}/`);
  respondWith({ ...metadata, token_endpoint: "http://169.254.169.254/token" });
  expect((await run()).problem).toBe("the provider offers no usable token_endpoint");
  respondWith({ ...metadata, jwks_uri: "https://169.254.169.254/keys" });
  expect((await run()).problem).toBe("the address is not allowed");
  respondWith({ ...metadata, jwks_uri: "https://login.widget.example:6379/keys" });
  expect((await run()).problem).toBe("the address has the port of another protocol");
  respondWith({ ...metadata, keys: [] });
  expect((await run()).problem).toBe("the provider has no keys");
  respond = (_request, response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end();
  expect((await run()).works).toBe(false);
  respond = (_request, response) => response.setHeader("content-type", "application/json").end("no JSON");
  expect((await run()).works).toBe(false);
  respond = (request) => request.socket.destroy();
  expect((await run()).problem).toBe("the provider cannot be reached");
});

test("sso disable allows passwords when a provider is broken", async () => {
  const { body } = await admin.post("/identity_providers", { ...provider, reference: "closed", enforced: true });
  const run = (...words: string[]) =>
    runCommandHere(["sso", "disable", ...words], { DATABASE_URL: at.databaseUrl }, "");
  const done = await run("--account", "widget-it", "--provider", "closed");
  expect([done.code, done.out + done.err]).toEqual([0, expect.stringContaining("Disabled Widget login (closed).")]);
  expect((await admin.get(`/identity_providers/${body.id}`)).body.disabled).toBe(true);
  const [entry] = (await admin.get("/security_trail?event=identity-provider-changed")).body;
  expect(entry).toMatchObject({ person: null, details: { by: "command line", changes: { disabled: [false, true] } } });
  expect((await run("--account", "widget-it", "--provider", "closed")).code).toBe(1);
  expect((await run("--account", "nobody")).code).toBe(1);
  expect((await run()).code).toBe(2);
  expect((await run("--account", "widget-it")).code).toBe(0);
  const all = (await admin.get("/identity_providers")).body;
  expect(all.every(({ disabled }: { disabled: boolean }) => disabled)).toBe(true);
  expect((await at.as("stranger").get("/identity_providers")).body[0].disabled).toBe(false);
});
