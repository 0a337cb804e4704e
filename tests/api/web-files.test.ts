import { beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { type World, world } from "../support/world.ts";

// How the server delivers the built web interface: caching, compression, content security policy.

const account = "/a/widget-it";
let here: World;

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
});

describe("the server", () => {
  test("responds below /a/ with the page, uncached, with a policy that allows only scripts from files", async () => {
    for (const path of ["/", account, `${account}/people/1`, `${account}/no/such/page`]) {
      const answer = await fetch(here.url + path, { headers: { Accept: "text/html" } });
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      const [, nonce] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
      expect(await answer.text()).toContain(`nonce="${nonce}"`);
    }
  });

  test("uses a new nonce for every page", async () => {
    const [one, other] = await Promise.all([fetch(`${here.url}/`), fetch(`${here.url}/`)]);
    expect(one.headers.get("Content-Security-Policy")).not.toBe(other.headers.get("Content-Security-Policy"));
  });

  test("lets clients cache files with a hash in their name forever, and compresses them if accepted", async () => {
    const page = await (await fetch(`${here.url}/`)).text();
    const [, path] = /href="(\/web\/assets\/frame-[^"]+\.js)"/.exec(page) ?? [];
    const answer = await fetch(here.url + path, { headers: { "Accept-Encoding": "gzip, br" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("Content-Encoding")).toBe("br");
    const tag = answer.headers.get("ETag") as string;
    expect((await fetch(here.url + path, { headers: { "If-None-Match": tag } })).status).toBe(304);
    const plain = await fetch(here.url + path, { headers: { "Accept-Encoding": "br;q=0" } });
    expect(plain.headers.get("Content-Encoding")).toBeNull();
  });

  test("responds to unknown paths with 404 in JSON, and never answers JSON calls with a page", async () => {
    for (const path of ["/web/assets/none.js", "/web/index.html", "/web/%2e%2e/package.json", "/nothing"]) {
      const answer = await fetch(here.url + path);
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toEqual({ message: "Not Found" });
    }
    const asJson = await fetch(here.url + account, { headers: { Accept: "application/json" } });
    expect([asJson.status, await asJson.json()]).toEqual([404, { message: "Not Found" }]);
    expect((await fetch(`${here.url}/v1/nothing`, { headers: { Accept: "*/*" } })).status).toBe(401);
  });
});
