import { expect, test } from "vitest";
import { FormBrowser, obtainCode, redeemCode, requestClientCredentialsToken } from "../support/clients/form-browser.ts";
import { runCommand, runCommandHere } from "../support/processes/command-line.ts";
import { world } from "../support/world.ts";

// Sign-in commands of the command line, next to a running server.

const at = await world();

const env = { DATABASE_URL: at.databaseUrl };
const command = (words: string[], input = "") => runCommandHere(words, env, input);

const parsePair = (out: string) => {
  const [client_id = "", client_secret = ""] = out.trim().split(" ");
  expect(out).toMatch(/^[A-Za-z0-9]{64} [A-Za-z0-9]{112}\n$/);
  return { client_id, client_secret, application: 0, pair: 0 };
};

test("password set reads the password from standard input, and the person can sign in", async () => {
  const set = await runCommand(
    ["password", "set", "--email", "SAM@widget.example"],
    env,
    "correct horse battery staple\n",
  );
  expect(set).toEqual({ code: 0, out: "", err: "" });
  const browser = new FormBrowser(at.url);
  const page = await browser.get("/sign_in");
  const entered = await browser.submit(page, "/sign_in", {
    email: "sam@widget.example",
    password: "correct horse battery staple",
  });
  expect(entered.location).toBe("/");
  const refused = await Promise.all([
    command(["password", "set", "--email", "sam@widget.example"], ""),
    command(["password", "set", "--email", "sam@widget.example"], "short"),
    command(["password", "set", "--email", "nobody@widget.example"], "long enough for this"),
    command(["password", "set"], "long enough for this"),
  ]);
  expect(refused.map(({ code, out }) => [code, out])).toEqual([
    [1, ""],
    [1, ""],
    [1, ""],
    [2, ""],
  ]);
  expect(refused[1]?.err).toContain("too short");

  const made = await command([
    "application",
    "create",
    "--account",
    "widget-it",
    "--grant",
    "authorization_code",
    "--redirect-uri",
    "https://client.example/callback https://client.example/second",
    "--name",
    "Made here",
  ]);
  expect(made.code).toBe(0);
  const client = parsePair(made.out);
  const { body } = await redeemCode(at.url, client, await obtainCode(browser, client));
  expect((await at.withToken(body.access_token).get("/me")).body.name).toBe("Sam Specialist");
});

test("application create prints a pair that works for client credentials", async () => {
  const words = ["application", "create", "--account", "widget-it", "--grant", "client_credentials"];
  const made = await command([...words, "--person", "sam@widget.example", "--scopes", "me:All"]);
  const { body } = await requestClientCredentialsToken(at.url, parsePair(made.out));
  expect((await at.withToken(body.access_token).get("/me")).status).toBe(200);
  expect((await at.withToken(body.access_token, { account: "widget-it" }).get("/teams")).status).toBe(403);
  const refused = await Promise.all([
    command([...words, "--person", "nobody@widget.example"]),
    command(words),
    command([...words.slice(0, -1), "implicit"]),
    command([
      "application",
      "create",
      "--account",
      "nowhere",
      "--grant",
      "client_credentials",
      "--person",
      "sam@widget.example",
    ]),
    command([...words, "--person", "sam@widget.example", "--scopes", "nonsense"]),
  ]);
  expect(refused.map(({ code, out }) => [code, out])).toEqual([
    [1, ""],
    [2, ""],
    [2, ""],
    [1, ""],
    [1, ""],
  ]);
});
