import { inflateSync } from "node:zlib";
import { decodeJwt } from "jose";
import decodeQR from "qr/decode.js";
import { beforeAll, describe, expect, test } from "vitest";
import { multiplyToCents } from "../../server/rules/asset/invoice.ts";
import { emptyImportResult, exportAsTable, runExport, runImport, unzip } from "../support/clients/import-and-export.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { tokenFor } from "../support/seed.ts";
import { deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type Reply, type World, world } from "../support/world.ts";

// CO28 to CO40: compatibility with existing clients of this API.

let the: World;
let admin: Client;
let bodies: RequestBodies;
let receiver: Receiver;
beforeAll(async () => {
  the = await world({ env: { ACCOUNT_URL: "http://{account}.desk.example" } });
  admin = the.as("administrator");
  bodies = new RequestBodies(admin, the.service.engine.types);
  receiver = await startReceiver();
});

const make = (type: string, members: Record<string, unknown> = {}) =>
  bodies.make(the.service.engine.types.get(type), members);
const succeed = async (reply: Promise<Reply>): Promise<Reply["body"]> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};
const listNames = (reply: Reply): string[] => reply.body.map(({ name }: { name: string }) => name).sort();
/** Headers that address the host of an account. */
const at = (host: string, headers: Record<string, string> = {}) => ({ Host: host, ...headers });

describe("webhooks", () => {
  test("CO28, CO29: headers keep their published spelling, and the issuer is the account's host", async () => {
    const policy = await succeed(admin.post("/webhook_policies", { jwt_alg: "rs256" }));
    const webhook = await succeed(
      admin.post("/webhooks", { event: "team.update", uri: `${receiver.url}/signed`, webhook_policy_id: policy.id }),
    );
    await deliverDueWebhooks(the);
    const [sent] = receiver.messages;
    expect(sent?.headerNames).toEqual(expect.arrayContaining(["X-Xurrent-Delivery", "X-4me-Delivery"]));
    const { iss, data } = decodeJwt<{ data: { account: string; payload: { callback: string } } }>(sent?.body.jwt);
    expect(iss).toBe("http://widget-it.desk.example");
    expect(data.account).toBe("http://widget-it.desk.example");
    const { callback } = data.payload;
    expect(callback).toMatch(new RegExp(`^http://widget-it\\.desk\\.example/webhooks/${webhook.id}/verify\\?code=`));
    const path = callback.slice("http://widget-it.desk.example".length);
    expect((await the.nobody.get(the.url + path, at("provider.desk.example"))).status).toBe(404);
    const verified = await the.nobody.get(the.url + path, at("widget-it.desk.example"));
    expect([verified.status, verified.text]).toEqual([200, "Verification successful"]);
  });

  test("CO29: keys are discovered at the account's host and below /a/", async () => {
    const policy = await succeed(admin.post("/webhook_policies", { jwt_alg: "es256" }));
    const uri = `${receiver.url}/discovered`;
    await succeed(
      admin.post("/webhooks", {
        ...{ event: "team.update", uri, webhook_policy_id: policy.id, openid_connect_discovery: true },
      }),
    );
    const path = `/webhook_policies/${policy.name}/.well-known/openid-configuration`;
    const there = await the.nobody.get(the.url + path, at("widget-it.desk.example"));
    const issuer = `http://widget-it.desk.example/webhook_policies/${policy.name}`;
    expect(there.body).toMatchObject({ issuer, jwks_uri: `${issuer}/jwks` });
    expect((await the.nobody.get(`${the.url}/a/widget-it${path}`)).body).toEqual(there.body);
  });

  test("CO37: a webhook shows the references of the app offerings that created it", async () => {
    const webhook = await succeed(admin.post("/webhooks", { event: "team.create", uri: `${receiver.url}/app` }));
    const path = `/webhooks/${webhook.id}?fields=app_offering_references`;
    expect((await admin.get(path)).body.app_offering_references).toEqual([]);
    const offering = await make("app_offering");
    await make("app_instance", { app_offering_id: offering.id, webhook_id: webhook.id });
    expect((await admin.get(path)).body.app_offering_references).toEqual([offering.reference]);
    expect((await admin.get(`/webhooks/${webhook.id}`)).body).not.toHaveProperty("app_offering_references");
  });
});

describe("the host of an account", () => {
  test("CO29: serves the API for that account, unless a header names another", async () => {
    const pat = the.withToken(tokenFor("administrator"));
    const here = await pat.get("/account", at("widget-it.desk.example"));
    expect(here.body).toMatchObject({ id: "widget-it", url: "http://widget-it.desk.example" });
    const other = at("widget-it.desk.example", { account: "widget-hr" });
    expect((await pat.get("/account", other)).status).toBe(403);
    expect((await pat.get("/account", at("nobody.desk.example"))).status).toBe(403);
    expect((await pat.get("/account", at("widget-it.elsewhere.example"))).body.id).toBe("widget-it");
    const created = await admin.post("/sites", { name: "Host" }, at("widget-it.desk.example"));
    expect(created.headers.get("location")).toBe(`http://widget-it.desk.example/sites/${created.body.id}`);
    const page = await admin.get("/people?per_page=1", at("widget-it.desk.example"));
    expect(page.headers.get("link")).toContain("<http://widget-it.desk.example/v1/people?per_page=1&search_after=");
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["/",                        "/a/widget-it/"],
    ["/requests/7?tab=notes",    "/a/widget-it/requests/7?tab=notes"],
    ["//evil.example/requests",  "/a/widget-it/evil.example/requests"],
  ])("CO29: redirects the page %j to the account's folder", async (path, folder) => {
    const headers = at("widget-it.desk.example", { Accept: "text/html" });
    const reply = await the.nobody.get(the.url + path, headers);
    expect([reply.status, reply.headers.get("location")]).toEqual([302, folder]);
    expect((await the.nobody.get(the.url + path, { Accept: "text/html" })).status).not.toBe(302);
  });
});

describe("reading", () => {
  test("CO30: a request shows the configuration item that was linked first", async () => {
    const [first, second] = [await make("ci"), await make("ci")];
    const create = { subject: "Jam", category: "incident", ci_id: second.id };
    const created = await succeed(admin.post("/requests", create));
    expect(created.ci).toMatchObject({ id: second.id, label: second.label });
    await succeed(admin.post(`/requests/${created.id}/cis/${first.id}`));
    const read = (await admin.get(`/requests/${created.id}`)).body;
    expect(read.ci.id).toBe(second.id);
    await admin.delete(`/requests/${created.id}/cis/${second.id}`);
    expect((await admin.get(`/requests/${created.id}`)).body.ci.id).toBe(first.id);
    const changed = await succeed(admin.patch(`/requests/${created.id}`, { ci: null }));
    expect(changed.ci).toBe(null);
    expect((await admin.get(`/requests/${created.id}?fields=ci`)).status).toBe(400);
    expect((await admin.get("/requests?fields=subject")).body[0]).not.toHaveProperty("ci");
  });

  test("CO31: permissions are paged like every collection", async () => {
    const { id } = await make("person");
    for (const account of ["widget-it", "widget-hr", "widget"])
      await the.sql(
        "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ($1, $2, 'specialist', now())",
        [account, id],
      );
    await the.sql(
      "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-hr', 1, 'specialist', now())",
    );
    const path = `/people/${id}/permissions`;
    const listAccounts = ({ body }: Reply) => body.map(({ account }: { account: { id: string } }) => account.id);
    const follow = (reply: Reply, rel: string) => {
      const url = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(reply.headers.get("link") ?? "")?.[1] ?? "";
      return admin.get(`${path}${url.slice(url.indexOf("?"))}`);
    };
    const whole = await admin.get(path);
    expect(listAccounts(whole)).toEqual(["widget", "widget-hr", "widget-it"]);
    expect(whole.headers.get("link")).toBe(null);
    const first = await admin.get(`${path}?per_page=2`);
    expect(listAccounts(first)).toEqual(["widget", "widget-hr"]);
    expect(first.headers.get("x-pagination-total-entries")).toBe("3");
    expect(first.headers.get("x-pagination-current-page")).toBe("1");
    const second = await follow(first, "next");
    expect([listAccounts(second), second.headers.get("x-pagination-current-page")]).toEqual([["widget-it"], "2"]);
    expect(second.headers.get("link")).not.toContain('rel="next"');
    expect((await follow(second, "prev")).body).toEqual(first.body);
    expect((await admin.get(`${path}?per_page=2&page=2`)).body).toEqual(second.body);
    for (const query of ["search_after=x", "colour=red", "sort=id", "fields=id", "state=open"])
      expect((await admin.get(`${path}?${query}`)).status, query).toBe(400);
  });

  test("CO32: a scope's grant type and an extension's activation can be read", async () => {
    const offering = await make("app_offering");
    await the.sql(
      "INSERT INTO app_offering_scopes (account_id, app_offering_id, effect, grant_type, created_at, updated_at) VALUES ('widget-it', $1, 'allow', 'client_credentials', now(), now())",
      [offering.id],
    );
    const [scope] = (await admin.get(`/app_offerings/${offering.id}/scopes?fields=grant_type`)).body;
    expect(scope.grant_type).toBe("client_credentials");
    const extension = await make("ui_extension", { activate: true, html: "<p>Now</p>" });
    const listed = (await admin.get("/ui_extensions?fields=activate")).body;
    expect(listed.find(({ id }: { id: number }) => id === extension.id).activate).toBe(false);
    expect(extension.active_version).not.toBe(null);
  });

  test("CO33: people are filtered by roles", async () => {
    const everyone = listNames(await admin.get("/people?per_page=100"));
    const holders = listNames(await admin.get("/people?roles=!&per_page=100"));
    const others = listNames(await admin.get("/people?roles=&per_page=100"));
    expect([...holders, ...others].sort()).toEqual(everyone);
    expect(holders).toEqual(expect.arrayContaining(["Ada Admin", "Aude Auditor", "Sam Specialist"]));
    expect(others).toEqual(expect.arrayContaining(["Rita Requester"]));
    const specialists = listNames(await admin.get("/people?roles=specialist&per_page=100"));
    const notSpecialists = listNames(await admin.get("/people?roles=!specialist&per_page=100"));
    expect([...specialists, ...notSpecialists].sort()).toEqual(everyone);
    expect(listNames(await admin.get("/people?roles!=specialist&per_page=100"))).toEqual(notSpecialists);
    expect(listNames(await admin.get("/people?roles=!specialist,auditor&per_page=100"))).not.toContain("Aude Auditor");
    expect((await admin.get("/people?roles=!cook")).status).toBe(400);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["text/plain", 200], ["text/*", 200], ["text/plain, application/xml;q=0.5", 200],
    ["text/csv", 406], ["application/xml", 406], ["text/plain;q=0", 406],
  ])("CO34: Accept: %s returns %i", async (accept, status) => {
    const reply = await admin.get("/me", { Accept: accept });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([status, "application/json; charset=utf-8"]);
  });

  test("CO35: search accepts nodeID prefixes as type names, too", async () => {
    await succeed(admin.post("/requests", { subject: "Zweistromland", category: "other" }));
    const find = async (types: string) => (await admin.get(`/search?q=Zweistromland&types=${types}`)).body.length;
    expect([await find("req"), await find("Req"), await find("request"), await find("Ci")]).toEqual([1, 1, 1, 0]);
    expect(await find("KnowledgeArticle,REQ")).toBe(1);
    expect((await admin.get("/search?q=Zweistromland&types=reqs")).status).toBe(400);
  });

  test("CO37: only_this_occurrence can be selected", async () => {
    const { id } = await make("reservation");
    const shown = (await admin.get(`/reservations/${id}?fields=name,only_this_occurrence`)).body;
    expect(Object.keys(shown).sort()).toEqual(["id", "name", "nodeID"]);
    expect((await admin.get("/reservations?fields=only_this_occurrence")).status).toBe(200);
  });
});

test("CO36: an S3 form contains the encryption field, and an upload may omit it", async () => {
  const { body } = await admin.get("/attachments/storage");
  expect(body.s3["x-amz-server-side-encryption"]).toBe("AES256");
  for (const leftOut of [[], ["x-amz-server-side-encryption"]]) {
    const form = new FormData();
    const { s3 } = (await admin.get("/attachments/storage")).body;
    for (const [name, value] of Object.entries(s3)) if (!leftOut.includes(name)) form.set(name, String(value));
    form.set("Content-Type", "text/plain");
    form.set("file", new Blob(["x"]), "x.txt");
    expect((await the.nobody.post("/attachments", form)).status).toBe(201);
  }
});

describe("invoices", () => {
  const postInvoice = (members: Record<string, unknown>) =>
    admin.post("/invoices", {
      ...{ description: "Toner", invoice_date: "2031-02-28", invoice_nr: "2031-7", supplier_id: 6 },
      ...{ quantity: 3, unit_price: "12.345" },
      ...members,
    });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["3", "12.345", "37.04"], ["0.5", "0.01", "0.01"], ["-2", "1.005", "-2.01"], ["1000000000000", "0.1", "100000000000.00"], ["0", "-5", "0.00"],
  ])("CO38: %s times %s is %s", (quantity, price, amount) => expect(multiplyToCents(quantity, price)).toBe(amount));

  test("CO38: have one subject, which decides their type and the list they are in", async () => {
    const contract = await make("contract");
    const created = await succeed(postInvoice({ contract_id: contract.id }));
    expect(created).toMatchObject({ amount: 37.04, currency: "eur", invoice_type: "contract", amortize: false });
    expect(created).not.toHaveProperty("cis");
    expect((await admin.get(`/contracts/${contract.id}/invoices`)).body).toMatchObject([{ id: created.id }]);
    const ci = await make("ci");
    expect((await postInvoice({})).status).toBe(422);
    expect((await postInvoice({ contract_id: contract.id, ci_ids: [ci.id] })).status).toBe(422);
    const ofItems = await succeed(postInvoice({ ci_ids: [ci.id] }));
    expect(ofItems.invoice_type).toBe("cis");
    expect((await admin.get(`/cis/${ci.id}/invoices`)).body).toMatchObject([{ id: ofItems.id }]);
    expect((await admin.get(`/invoices/${ofItems.id}/cis`)).body).toMatchObject([{ id: ci.id }]);
    expect((await admin.delete(`/invoices/${ofItems.id}/cis/${ci.id}`)).status).toBe(422);
    expect((await admin.post(`/invoices/${created.id}/cis/${ci.id}`)).status).toBe(422);
    const moved = await succeed(admin.patch(`/invoices/${ofItems.id}`, { ci_ids: [], contract_id: contract.id }));
    expect(moved.invoice_type).toBe("contract");
    const [listed] = (await admin.get("/invoices?invoice_type=contract&sort=-invoice_nr")).body;
    expect(listed.supplier).toMatchObject({ id: 6 });
    expect((await admin.delete(`/invoices/${created.id}`)).status).toBe(404);
    for (const parent of ["workflows", "projects", "slas", "flsas"])
      expect((await admin.get(`/${parent}/999999/invoices`)).status, parent).toBe(404);
  });

  test("CO38: an amortization has a first and a last day", async () => {
    const contract_id = (await make("contract")).id;
    const refused = await postInvoice({ contract_id, amortize: true });
    expect([refused.status, refused.body.errors.length]).toEqual([422, 2]);
    const backwards = { amortize: true, amortization_start: "2031-03-01", amortization_end: "2031-02-28" };
    expect((await postInvoice({ contract_id, ...backwards })).status).toBe(422);
    expect((await postInvoice({ contract_id, ...backwards, amortization_end: "2032-02-29" })).status).toBe(201);
  });

  test("CO38: are readable and writable by financial managers and administrators, and readable by auditors", async () => {
    const { id } = await succeed(postInvoice({ contract_id: (await make("contract")).id }));
    const read = async (role: Parameters<World["as"]>[0]) => (await the.as(role).get(`/invoices/${id}`)).status;
    expect([await read("specialist"), await read("requester"), await read("auditor")]).toEqual([403, 403, 200]);
    expect((await the.as("auditor").patch(`/invoices/${id}`, { po_nr: "7" })).status).toBe(403);
    expect((await the.as("specialist").get("/invoices")).status).toBe(403);
    expect((await the.as("stranger").get(`/invoices/${id}`)).status).toBe(404);
    await succeed(admin.post("/people/9/permissions/widget-it", { roles: ["financial_manager"] }));
    expect(await read("manager")).toBe(200);
    expect((await the.as("manager").patch(`/invoices/${id}`, { po_nr: "7" })).body.po_nr).toBe("7");
  });

  test("CO38: are imported and exported", async () => {
    const contract = await make("contract");
    const [row] = await exportAsTable(admin, "invoices");
    expect(Object.keys(row ?? {})).toEqual(expect.arrayContaining(["Invoice Number", "Unit Price", "Amount", "CIs"]));
    const file = `Description,Invoice Date,Invoice Number,Supplier,Quantity,Unit Price,Contract\nPaper,2031-03-01,P-1,Printer Supplier,2,4.5,${contract.name}\n`;
    const { results } = await runImport(admin, "invoices", file);
    expect(results).toEqual({ ...emptyImportResult, created: 1 });
    expect((await admin.get("/invoices?invoice_nr=P-1&fields=amount")).body).toMatchObject([{ amount: 9 }]);
  });
});

describe("short URLs", () => {
  const follow = async (short: string) => {
    const reply = await the.nobody.get(the.url + new URL(short).pathname, { Accept: "text/html" });
    return [reply.status, reply.headers.get("location")];
  };

  test("CO39: redirect to their target", async () => {
    const ci = await make("ci");
    const label = await succeed(admin.post("/short_urls", { ci_id: ci.id }));
    expect(label).toMatchObject({ data_type: "ci", uri: `http://widget-it.desk.example/cis/${ci.id}` });
    expect(label.short_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/[a-z]{8}$/);
    expect(await follow(label.short_url)).toEqual([302, `/a/widget-it/cis/${ci.id}`]);
    expect(await follow(`${the.url}/s/zzzzzzzz`)).toEqual([404, null]);
    expect((await admin.get("/short_urls?fields=short_url,letters")).status).toBe(400);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    [{ website_url: "https://widget.example/a b" },                                           "url",    "https://widget.example/a%20b"],
    [{ tel: "+31 (20) 555 01 00" },                                                           "tel",    "tel:+31205550100"],
    [{ sms_tel: "+31 6", sms_body: "Help & more" },                                           "sms",    "sms:+316?body=Help%20%26%20more"],
    [{ email_to: "a@widget.example, b@widget.example", email_subject: "Ü?" },                 "mailto", "mailto:a@widget.example,b@widget.example?subject=%C3%9C%3F"],
    [{ map_address: "Damrak 1, Amsterdam" },                                                  "map",    "https://www.openstreetmap.org/search?query=Damrak%201%2C%20Amsterdam"],
    [{ geo_latitude: 52.37, geo_longitude: "4.9" },                                           "map",    "https://www.openstreetmap.org/?mlat=52.37&mlon=4.9"],
  ])("CO39: %j is of type %s", async (members, data_type, uri) => {
    const created = await succeed(admin.post("/short_urls", members));
    expect(created).toMatchObject({ data_type, uri });
    expect(await follow(created.short_url)).toEqual([302, uri]);
  });

  test("CO39: a text is shown as a page", async () => {
    const { uri, short_url } = await succeed(admin.post("/short_urls", { plain_text: "Shelf <4>\nleft" }));
    const page = await the.nobody.get(the.url + new URL(short_url).pathname);
    expect([uri, page.status]).toEqual([null, 200]);
    expect(page.text).toContain("Shelf &lt;4&gt;<br>left");
  });

  // biome-ignore format: a table keeps its columns
  test.each<[Record<string, unknown>]>([
    [{}],
    [{ tel: "1", plain_text: "x" }],
    [{ tel: "1", sms_body: "x" }],
    [{ website_url: "javascript:alert(1)" }],
    [{ tel: "javascript:alert(1)" }],
    [{ email_to: "nobody" }],
    [{ geo_latitude: 91, geo_longitude: 1 }],
    [{ geo_latitude: 9 }],
    [{ geo_longitude: 9 }],
    [{ ci_id: 999_999 }],
  ])("CO39: %j is rejected with 422", async (members) => expect((await admin.post("/short_urls", members)).status).toBe(422));

  test("CO39: an image reader decodes the short URL from the QR code of a label", async () => {
    const { id, short_url } = await succeed(admin.post("/short_urls", { website_url: "https://widget.example/" }));
    const headers = {
      Authorization: `Bearer ${tokenFor("auditor")}`,
      account: "widget-it",
    };
    const reply = await fetch(`${the.base}/short_urls/${id}/qr`, { headers: { ...headers, Accept: "image/png" } });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/png"]);
    const picture = readPng(Buffer.from(await reply.arrayBuffer()));
    expect(decodeQR(picture)).toBe(short_url);
    expect((await the.as("requester").get(`/short_urls/${id}/qr`)).status).toBe(403);
    expect((await admin.get("/short_urls/999999/qr")).status).toBe(404);
  });

  test("CO39: are imported and exported", async () => {
    const { results } = await runImport(admin, "short_urls", "Website URL\nhttps://widget.example/imported\n");
    expect(results).toEqual({ ...emptyImportResult, created: 1 });
    const rows = await exportAsTable(admin, "short_urls");
    expect(rows.map((row) => row["Website URL"])).toContain("https://widget.example/imported");
  });
});

describe("imports of data without records of its own", () => {
  test("CO40: people_roles", async () => {
    const [one, two] = [await make("person"), await make("person")];
    const file = [
      "Person,Account,Role",
      `${one.primary_email},widget-it,specialist`,
      `${one.primary_email},,workflow_manager`,
      `${two.primary_email},widget-it,workflow_manager`,
      `${two.primary_email},widget-it,cook`,
      `${two.primary_email},provider,specialist`,
      "nobody@widget.example,widget-it,specialist",
    ].join("\n");
    const first = await runImport(admin, "people_roles", file);
    expect([first.state, first.results]).toEqual(["done", { ...emptyImportResult, created: 2, failures: 4 }]);
    const { roles } = (await admin.get(`/people/${one.id}/permissions/widget-it`)).body;
    expect(roles).toEqual(["specialist", "workflow_manager"]);
    const rows = await exportAsTable(admin, "people_roles");
    const text = ["Person,Account,Role", ...rows.map((row) => Object.values(row).join(","))].join("\n");
    const again = await runImport(admin, "people_roles", text);
    expect(again.results).toEqual({ ...emptyImportResult, unchanged: rows.length });
    expect((await runImport(admin, "people_roles", "Person,Colour\nx,y\n")).state).toBe("error");
  });

  test("CO40: organizations_time_allocations", async () => {
    const [organization, allocation] = [await make("organization"), await make("time_allocation")];
    const file = `organization,Time Allocation\n${organization.name},${allocation.name}\n${organization.name},\n`;
    const { results, log } = await runImport(admin, "organizations_time_allocations", file);
    expect(results, log).toEqual({ ...emptyImportResult, created: 1, failures: 1 });
    expect((await admin.get(`/organizations/${organization.id}/time_allocations`)).body).toMatchObject([
      { id: allocation.id },
    ]);
    const rows = await exportAsTable(admin, "organizations_time_allocations");
    expect(rows).toContainEqual({ Organization: organization.name, "Time Allocation": allocation.name });
  });

  test("CO40: custom_views", async () => {
    const quoted = '"{""type"": ""requests"", ""filters"": {""status"": ""assigned""}}"';
    const file = `Name,Team,Definition\nmine,,${quoted}\nteam,Service Desk,${quoted}\nwrong,,[]\nlost,Nowhere,${quoted}\n`;
    const first = await runImport(admin, "custom_views", file);
    expect(first.results, first.log).toEqual({ ...emptyImportResult, created: 2, failures: 2 });
    const rows = await exportAsTable(admin, "custom_views");
    expect(rows.map(({ Name, Team }) => [Name, Team])).toEqual([
      ["mine", ""],
      ["team", "Service Desk"],
    ]);
    expect(JSON.parse(rows[0]?.Definition ?? "")).toEqual({ type: "requests", filters: { status: "assigned" } });
    const changed = `Name,Definition\nmine,${quoted.replace("assigned", "completed")}\n`;
    expect((await runImport(admin, "custom_views", changed)).results).toEqual({ ...emptyImportResult, updated: 1 });
    expect((await runImport(admin, "custom_views", changed)).results).toEqual({ ...emptyImportResult, unchanged: 1 });
    const archive = unzip((await runExport(admin, "custom_views,sites")).bytes);
    expect([...archive.keys()]).toEqual(["custom_views.csv", "sites.csv"]);
  });
});

/** Decodes the picture to four bytes per pixel, as a camera sees it. */
function readPng(bytes: Buffer): { width: number; height: number; data: Uint8Array } {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const length = bytes.readUInt32BE(33);
  const rows = inflateSync(bytes.subarray(41, 41 + length));
  const data = new Uint8Array(width * height * 4).fill(255);
  const perRow = 1 + Math.ceil(width / 8);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isWhite = ((rows[y * perRow + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      data.fill(isWhite * 255, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  return { width, height, data };
}
