import { createApplication } from "../../../server/oauth/applications/applications.ts";
import { createClientPair } from "../../../server/oauth/applications/client-pairs.ts";
import { setPassword } from "../../../server/oauth/passwords/change-password.ts";
import { PasswordHasher } from "../../../server/oauth/passwords/passwords.ts";
import { people, type Role } from "../seed.ts";
import type { World } from "../world.ts";

// A browser without JavaScript: it keeps cookies, follows no redirects, and submits the forms on its pages.

export type Page = { status: number; headers: Headers; text: string; location: string };

const unescapeHtml = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name] as string,
  );

export class FormBrowser {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.url = url;
    this.headers = headers;
  }

  async send(
    method: string,
    path: string,
    body?: URLSearchParams | string,
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(path.startsWith("http") ? path : this.url + path, {
      method,
      redirect: "manual",
      headers: { Accept: "text/html", ...(cookie === "" ? {} : { Cookie: cookie }), ...this.headers, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] as string).split(/=(.*)/s);
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get("location") ?? "",
    };
  }

  get = (path: string, headers?: Record<string, string>): Promise<Page> => this.send("GET", path, undefined, headers);

  /** Submits the form whose action starts with `action`, including its hidden fields. */
  submit(
    page: Page,
    action: string,
    fields: Record<string, string | string[]> = {},
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const body = readHiddenFields(page, action);
    for (const [name, value] of Object.entries(fields)) {
      body.delete(name);
      for (const each of [value].flat()) body.append(name, each);
    }
    return this.send("POST", findFormAction(page, action), body, { Origin: this.url, ...headers });
  }

  /** Signs in a person of the world on the sign-in page. */
  async signIn(role: Role, returnTo = ""): Promise<Page> {
    const page = await this.get(`/sign_in?return_to=${encodeURIComponent(returnTo)}`);
    return this.submit(page, "/sign_in", { email: people[role].email, password: passwordFor(role) });
  }

  /** Calls the JSON interface. */
  async api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiReply> {
    const csrf: Record<string, string> =
      method === "GET" ? {} : { "X-CSRF-Token": (await this.api("GET", "/me")).body?.csrf_token ?? "" };
    const json = body === undefined ? undefined : JSON.stringify(body);
    const page = await this.send(method, `/session-api${path}`, json, {
      "Content-Type": "application/json",
      ...csrf,
      ...headers,
    });
    return { status: page.status, headers: page.headers, body: page.text === "" ? undefined : JSON.parse(page.text) };
  }
}

/** Returns the form with this action, or the first one whose action starts with it. */
function findForm(page: Page, action: string): string {
  const forms = [...page.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>.*?<\/form>/gs)];
  const actions = forms.map((form) => unescapeHtml(form[1] as string));
  const at = actions.includes(action) ? actions.indexOf(action) : actions.findIndex((each) => each.startsWith(action));
  if (at < 0) throw new Error(`no form ${action} in a page with status ${page.status}: ${page.text.slice(0, 2000)}`);
  return forms[at]?.[0] as string;
}
export const findFormAction = (page: Page, action: string): string =>
  unescapeHtml(/action="([^"]*)"/.exec(findForm(page, action))?.[1] as string);
export function readHiddenFields(page: Page, action: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [, name, value] of findForm(page, action).matchAll(
    /<input type="hidden" name="([^"]+)"[^>]* value="([^"]*)">/g,
  ))
    fields.append(name as string, unescapeHtml(value as string));
  return fields;
}

export const passwordFor = (role: Role): string => `the secret of ${role}`;
const cheap = new PasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 });

/** Gives people of the world passwords with a cheap hash. */
export async function setPasswords(world: World, ...roles: Role[]): Promise<void> {
  for (const role of roles) {
    const { email, account } = people[role];
    await setPassword(
      world.service.engine.database,
      world.clock.now(),
      { email, account, password: passwordFor(role) },
      cheap,
    );
  }
}

export const callbackUri = "https://client.example/callback";

export type RegisteredClient = { application: number; pair: number; client_id: string; client_secret: string };

/** Registers an application with one client pair, as the command line does. */
export async function registerApplication(
  world: World,
  input: Record<string, unknown> = {},
  account = "widget-it",
): Promise<RegisteredClient> {
  const nobody = { person: null, address: null };
  const { oauth } = world.service;
  const values = {
    name: "Reporter",
    grant_type: "authorization_code",
    endpoints: [callbackUri],
    scopes: "*:*",
    ...input,
  };
  const application = await createApplication(oauth, account, nobody, values);
  const { id: pair, client_id, client_secret } = await createClientPair(oauth, account, application, nobody);
  return { application, pair, client_id, client_secret };
}

export const authorizeAddress = ({ client_id }: RegisteredClient, more: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({ client_id, response_type: "code", redirect_uri: callbackUri, ...more })}`;

/** Goes from the authorization request through the prompt to the code. The browser must be signed in. */
export async function obtainCode(
  browser: FormBrowser,
  client: RegisteredClient,
  more: Record<string, string> = {},
): Promise<string> {
  let page = await browser.get(authorizeAddress(client, more));
  if (page.location.includes("/oauth/authorize_application?")) {
    const prompt = await browser.get(page.location);
    page =
      prompt.status === 302
        ? prompt
        : await browser.submit(prompt, "/oauth/authorize_application", { decision: "allow" });
  }
  const code = new URL(page.location).searchParams.get("code");
  if (code === null) throw new Error(`no code in ${page.location}`);
  return code;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at single members
export type ApiReply = { status: number; headers: Headers; body: any };

/** Posts a form to /oauth/token. */
export async function requestToken(
  url: string,
  fields: Record<string, string>,
  path = "/oauth/token",
): Promise<ApiReply> {
  const response = await fetch(url + path, { method: "POST", body: new URLSearchParams(fields) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

export const clientSecretFields = ({ client_id, client_secret }: RegisteredClient) => ({ client_id, client_secret });

export const redeemCode = (url: string, client: RegisteredClient, code: string, more: Record<string, string> = {}) =>
  requestToken(url, {
    ...clientSecretFields(client),
    grant_type: "authorization_code",
    code,
    redirect_uri: callbackUri,
    ...more,
  });
export const refreshToken = (url: string, client: RegisteredClient, refresh_token: string) =>
  requestToken(url, { ...clientSecretFields(client), grant_type: "refresh_token", refresh_token });
export const requestClientCredentialsToken = (url: string, client: RegisteredClient) =>
  requestToken(url, { ...clientSecretFields(client), grant_type: "client_credentials" });
