import { describe, expect, test } from "vitest";
import { OperatorError } from "../../base/errors.ts";
import { parseServers } from "./server-list.ts";

describe("the servers of DATABASE_URL", () => {
  test("one server without conditions is used as it is written", () => {
    for (const url of [
      "postgres://steward:secret@db.example.com:5432/steward",
      "postgres://steward:a,b@db.example.com/steward?sslmode=require",
      "postgres://steward:secret@/steward?host=%2Frun%2Fpostgresql&port=5433&sslmode=disable",
      "postgresql://db.example.com/steward?target_session_attrs=any",
      "/run/postgresql steward",
    ])
      expect(parseServers(url)).toEqual({ urls: [url], isChecked: false, current: 0, isLost: false });
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["postgres://u:p@one:5432,two:5433/db?target_session_attrs=read-write", ["postgres://u:p@one:5432/db", "postgres://u:p@two:5433/db"]],
    ["postgres://u:p@one,two/db",                                           ["postgres://u:p@one/db", "postgres://u:p@two/db"]],
    ["postgresql://u:p,q@[::1]:5432,[::2]:5433/db?sslmode=require",         ["postgresql://u:p,q@[::1]:5432/db?sslmode=require", "postgresql://u:p,q@[::2]:5433/db?sslmode=require"]],
    ["postgres://u:p@one/db?target_session_attrs=primary",                  ["postgres://u:p@one/db"]],
    ["postgres://u:p@/db?host=%2Fa,%2Fb&sslmode=disable",                   ["postgres://u:p@/db?sslmode=disable&host=%2Fa&port=5432", "postgres://u:p@/db?sslmode=disable&host=%2Fb&port=5432"]],
    ["postgres://u:p@/db?host=one,two&port=5,6",                            ["postgres://u:p@/db?host=one&port=5", "postgres://u:p@/db?host=two&port=6"]],
  ])("%s", (url, urls) => {
    expect(parseServers(url)).toEqual({ urls, isChecked: true, current: 0, isLost: false });
  });

  test("read-only servers cannot be requested, and hosts need their ports", () => {
    expect(() => parseServers("postgres://one,two/db?target_session_attrs=standby")).toThrow(OperatorError);
    expect(() => parseServers("postgres:///db?host=one,two,three&port=1,2")).toThrow("3 hosts, but 2 ports");
  });
});
