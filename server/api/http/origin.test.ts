import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { readConfiguration } from "../../base/configuration.ts";
import { getClientAddress, getOrigin, getTrustedProxies, isSecure } from "./origin.ts";

const from = (remoteAddress: string, headers: Record<string, string> = {}, encrypted = false) =>
  ({ socket: { remoteAddress, encrypted }, headers }) as unknown as IncomingMessage;
const alone = readConfiguration({});
const behind = readConfiguration({ TRUST_PROXY: "10.0.0.0/8, 2001:db8::1" });
const https = { "x-forwarded-proto": "https" };

describe("plain HTTP is served to this machine only", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["127.0.0.1",           alone,  {},                                        true],
    ["127.8.9.1",           alone,  {},                                        true],
    ["::1",                 alone,  {},                                        true],
    ["::ffff:127.0.0.1",    alone,  {},                                        true],
    ["192.168.1.5",         alone,  {},                                        false],
    ["192.168.1.5",         alone,  https,                                     false],
    ["::ffff:203.0.113.9",  alone,  https,                                     false],
    ["10.1.2.3",            behind, https,                                     true],
    ["::ffff:10.1.2.3",     behind, https,                                     true],
    ["2001:db8::1",         behind, https,                                     true],
    ["10.1.2.3",            behind, {},                                        false],
    ["10.1.2.3",            behind, { "x-forwarded-proto": "https, http" },    false],
    ["11.1.2.3",            behind, https,                                     false],
  ])("from %s: %#", (address, configuration, headers, served) => {
    expect(isSecure(configuration, from(address, headers))).toBe(served);
  });

  test("an encrypted connection is served from anywhere", () => {
    expect(isSecure(alone, from("203.0.113.9", {}, true))).toBe(true);
  });
});

test("the server trusts client addresses from its proxies, and only the last one that they did not add themselves", () => {
  const forwarded = { "x-forwarded-for": "1.1.1.1, 203.0.113.9, 10.4.4.4" };
  expect(getClientAddress(behind, from("10.1.2.3", forwarded))).toBe("203.0.113.9");
  expect(getClientAddress(behind, from("203.0.113.7", forwarded))).toBe("203.0.113.7");
  expect(getClientAddress(alone, from("10.1.2.3", forwarded))).toBe("10.1.2.3");
  expect(getClientAddress(behind, from("10.1.2.3", { "x-forwarded-for": "nonsense" }))).toBe("10.1.2.3");
});

test("CO1: absolute addresses use PUBLIC_URL, else the client's Host header if it is valid", () => {
  expect(getOrigin(readConfiguration({ PUBLIC_URL: "https://desk.example/" }), from("::1", { host: "evil" }))).toBe(
    "https://desk.example",
  );
  expect(getOrigin(alone, from("::1", { host: "localhost:8080" }))).toBe("http://localhost:8080");
  expect(getOrigin(alone, from("::1", { host: "a/b" }))).toBe("http://127.0.0.1:8080");
  expect(getOrigin(behind, from("10.1.2.3", { ...https, "x-forwarded-host": "desk.example", host: "inner" }))).toBe(
    "https://desk.example",
  );
});

test("a proxy that is not an address is rejected", () => {
  expect(() => getTrustedProxies(readConfiguration({ TRUST_PROXY: "proxy.example" }))).toThrow(/TRUST_PROXY/);
});
