import type { Type, Types } from "../../../server/engine/types.ts";
import { buildRawRequest } from "../clients/raw-http.ts";
import { Noise } from "./noise.ts";
import { buildRuleAction, buildRuleText } from "./rule-noise.ts";

// Noise for every HTTP entrance of the server. The routes come from the server and the field names from the register, so
// additions are covered automatically.

export type HttpRoute = { method: string; path: string };

export type Target = {
  types: Types;
  /** below /v1 */
  apiRoutes: readonly HttpRoute[];
  /** all other routes */
  otherRoutes: readonly HttpRoute[];
  /** bearer tokens of different people, and the account of each */
  callers: readonly { token: string; account: string }[];
  /** cookies of signed-in browsers, with their CSRF tokens */
  sessions: readonly { cookie: string; csrf: string }[];
  accounts: readonly string[];
};

export type NoisyRequest = {
  entrance: string;
  method: string;
  bytes: Buffer;
  /** the response may be an endless stream */
  isStream: boolean;
  /** not HTTP: the connection may be closed without a response */
  isMalformed: boolean;
};

type Header = readonly [string, string];
const json: Header = ["Content-Type", "application/json"];
const form: Header = ["Content-Type", "application/x-www-form-urlencoded"];

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, 2000);

export class EntranceNoise {
  readonly noise: Noise;
  private readonly target: Target;
  private readonly makers: readonly (readonly [number, string, () => NoisyRequest])[];
  private readonly typesByCollection = new Map<string, Type>();

  constructor(seed: number, target: Target) {
    this.noise = new Noise(seed);
    this.target = target;
    for (const type of target.types.all) this.typesByCollection.set(type.collection, type);
    // biome-ignore format: a table keeps its columns
    this.makers = [
      [40, "API",          () => this.apiCall()],
      [10, "session API",  () => this.sessionCall()],
      [10, "pages",        () => this.pageCall()],
      [8,  "OAuth",        () => this.oauthCall()],
      [8,  "rule texts",   () => this.ruleCall()],
      [6,  "uploads",      () => this.upload()],
      [2,  "imports",      () => this.importCall()],
      [2,  "live stream",  () => this.streamCall()],
      [3,  "unknown",      () => this.unknownCall()],
      [1,  "malformed",    () => this.malformed()],
    ];
  }

  next(): NoisyRequest {
    let at = this.noise.next() * this.makers.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, entrance, make] of this.makers) {
      if (at < weight) return { ...make(), entrance };
      at -= weight;
    }
    return this.next();
  }

  private request(method: string, path: string, headers: readonly Header[], body?: Buffer | string): NoisyRequest {
    const { noise } = this;
    const verb = noise.chance(0.03) ? noise.pick(["HEAD", "OPTIONS", "PUT", "TRACE", "PROPFIND", "GET"]) : method;
    const target = path.replace(/[^\x21-\x7e]/g, "%").slice(0, 6000) || "/";
    const bytes = buildRawRequest(verb, target, [...headers, ...this.extraHeaders()], body ?? "");
    const isStream = verb === "GET" && target.split("?")[0]?.endsWith("/stream") === true;
    return { entrance: "", method: verb, bytes, isStream, isMalformed: false };
  }

  private extraHeaders(): Header[] {
    const { noise } = this;
    if (!noise.chance(0.15)) return [];
    const names = ["account", "language", "Accept", "If-Match", "If-None-Match", "Idempotency-Key", "Prefer", "Range"];
    const others = [
      "X-Forwarded-For",
      "X-Request-Id",
      "User-Agent",
      "Cookie",
      "Origin",
      "Sec-Fetch-Site",
      "Last-Event-ID",
    ];
    return noise.times(2, () => [noise.pick([...names, ...others]), printable(noise.text())] as const);
  }

  private credentials(): Header[] {
    const { noise, target } = this;
    const luck = noise.below(100);
    if (luck === 0) return [];
    if (luck === 1) return [["Authorization", printable(noise.text())]];
    if (luck === 2)
      return [["Authorization", `Bearer ${noise.pick(target.callers).token.split("").reverse().join("")}`]];
    // Mostly the first two callers, who have most permissions, so that the noise passes the access checks.
    const { token, account } = noise.chance(0.7) ? noise.pick(target.callers.slice(0, 2)) : noise.pick(target.callers);
    const chosen = noise.chance(0.93) ? account : noise.pick(target.accounts);
    return [
      ["Authorization", `Bearer ${token}`],
      ["account", chosen],
    ];
  }

  /** Fills in a route's parameters. */
  private fill(path: string): string {
    const { noise, target } = this;
    return path.replace(/:(\w+)|\*/g, (_, name: string | undefined) => {
      if (name === "account") return noise.chance(0.8) ? (target.accounts[0] as string) : noise.pick(target.accounts);
      if (name === "type") return noise.chance(0.9) ? noise.pick(target.types.all).name : noise.id();
      if (name === "collection") return noise.pick(target.types.all).collection;
      return noise.id();
    });
  }

  private findType(path: string): Type {
    const [, first = ""] = path.split("/");
    const last = path.split("/").findLast((part) => this.typesByCollection.has(part)) ?? first;
    return this.typesByCollection.get(last) ?? this.noise.pick(this.target.types.all);
  }

  private query(type: Type): string {
    const { noise } = this;
    const field = () => (noise.chance(0.8) ? noise.pick(Object.keys(type.fields)) : noise.text());
    const parts = noise.times(3, () => {
      const kind = noise.below(7);
      const value = `${noise.pick(["", "", "!", "<", ">=", ">1<", "="])}${noise.text()}`;
      if (kind < 3)
        return `${noise.chance(0.9) ? (noise.pick(type.filterable) ?? "id") : field()}=${noise.encode(value)}`;
      if (kind === 3)
        return `sort=${noise
          .times(3, () => noise.pick(["", "-"]) + (noise.pick(type.sortable) ?? field()))
          .map((key) => noise.encode(key))
          .join(",")}`;
      if (kind === 4)
        return `fields=${noise
          .times(6, field)
          .map((name) => noise.encode(name))
          .join(",")}`;
      const names = [
        "per_page",
        "page",
        "search_after",
        "search_before",
        "q",
        "state",
        "types",
        "text",
        "after",
        "tag",
      ];
      if (kind === 5) return `${noise.pick(names)}=${noise.encode(noise.text())}`;
      return `${noise.encode(noise.text())}${noise.pick(["", "=", "[]=", "[a]="])}${noise.encode(noise.text())}`;
    });
    return parts.length === 0 ? "" : `?${parts.join("&")}`;
  }

  /** Members with real field names and random values, some of them valid. */
  private members(type: Type): Record<string, unknown> {
    const { noise } = this;
    const entries = noise.times(7, (): [string, unknown] => {
      const name = noise.chance(0.9) ? noise.pick(Object.keys(type.fields)) : noise.text();
      const field = type.fields[name];
      if (field?.kind === "reference" && noise.chance(0.7)) return [`${name}_id`, 1 + noise.below(8)];
      if (field?.kind === "references" && noise.chance(0.7)) return [name, noise.times(3, () => noise.below(8))];
      if (field?.kind === "text" && noise.chance(0.3)) return [name, noise.longText()];
      if (field?.kind === "enum" && noise.chance(0.7)) return [name, noise.pick(field.values ?? ["assigned"])];
      return [name, noise.value()];
    });
    return Object.fromEntries(entries);
  }

  private apiCall(): NoisyRequest {
    const { noise, target } = this;
    const route = noise.pick(target.apiRoutes);
    // The noise must not change its own senders.
    const isOwn = route.method !== "GET" && /^\/(people|permissions|me)\b/.test(route.path);
    const path = isOwn ? this.fill(route.path).replace(/\/\d+/, "/14") : this.fill(route.path);
    const type = this.findType(route.path);
    const suffix = noise.chance(0.03) ? noise.pick(["/", ".json", ".csv", "//", "/..", ";a=b"]) : "";
    const isRead = route.method === "GET";
    const to = `/v1${path}${suffix}${isRead || noise.chance(0.1) ? this.query(type) : ""}`;
    if (isRead) return this.request("GET", to, this.credentials());
    const isForm = noise.chance(0.08);
    const body = isForm
      ? this.formBody(Object.keys(type.fields))
      : noise.json(noise.chance(0.95) ? this.members(type) : noise.value());
    return this.request(route.method, to, [...this.credentials(), isForm ? form : json], body);
  }

  private formBody(names: readonly string[]): string {
    const { noise } = this;
    return noise
      .times(
        6,
        () => `${noise.chance(0.85) ? noise.pick(names) : noise.encode(noise.text())}=${noise.encode(noise.text())}`,
      )
      .join("&");
  }

  private session(): Header[] {
    const { noise, target } = this;
    const own = noise.pick(target.sessions);
    if (own === undefined || noise.chance(0.03)) return [["Cookie", `steward_session=${printable(noise.text())}`]];
    return [["Cookie", own.cookie], ...(noise.chance(0.97) ? [["X-CSRF-Token", own.csrf] as const] : [])];
  }

  private sessionCall(): NoisyRequest {
    const { noise, target } = this;
    const route = noise.pick(target.otherRoutes.filter(({ path }) => path.startsWith("/session-api")));
    const type = noise.pick(target.types.all);
    const to = this.fill(route.path) + (route.method === "GET" || noise.chance(0.1) ? this.query(type) : "");
    if (route.method === "GET" || route.method === "HEAD") return this.request(route.method, to, this.session());
    // The noise must not sign out its own sessions.
    const endsAccess = route.method === "DELETE" && /\/(sessions?|personal-access-tokens)(\/|$)/.test(route.path);
    const method = endsAccess ? "GET" : route.method;
    const body = { type: noise.chance(0.8) ? type.name : noise.value(), id: noise.below(9), ...this.members(type) };
    const names = ["doing", "muted", "name", "scopes", "disabled", "settings", "ids", "current_password", "value"];
    const more = Object.fromEntries(noise.times(3, () => [noise.pick(names), noise.value()]));
    return this.request(method, to, [...this.session(), json], noise.json({ ...body, ...more }));
  }

  private pageCall(): NoisyRequest {
    const { noise, target } = this;
    const route = noise.pick(target.otherRoutes.filter(({ path }) => !/^\/(session-api|oauth)|\/token$/.test(path)));
    const to =
      this.fill(route.path) +
      (noise.chance(0.4)
        ? `?${this.formBody(["return_to", "done", "after", "token", "code", "state", "key", "before"])}`
        : "");
    const session = noise.chance(0.5) ? this.session() : [];
    // The noise must not sign out its own sessions.
    if (route.method !== "POST" || route.path === "/sign_out")
      return this.request(route.method === "POST" ? "GET" : route.method, to, session);
    const names = ["email", "password", "csrf", "return_to", "choice", "account", "note", "reopen", "role", "decision"];
    const csrf = noise.chance(0.5) ? `csrf=${noise.pick(target.sessions)?.csrf ?? ""}&` : "";
    return this.request("POST", to, [...session, noise.chance(0.9) ? form : json], csrf + this.formBody(names));
  }

  private oauthCall(): NoisyRequest {
    const { noise, target } = this;
    const route = noise.pick(
      target.otherRoutes.filter(({ path }) => /^\/(oauth|token|authorize|\.well-known)/.test(path)),
    );
    const names = [
      "grant_type",
      "client_id",
      "client_secret",
      "code",
      "redirect_uri",
      "refresh_token",
      "scope",
      "state",
    ];
    const more = ["code_verifier", "code_challenge", "code_challenge_method", "token", "response_type", "audience"];
    const values = ["authorization_code", "refresh_token", "client_credentials", "S256", "code"];
    const field = () => {
      const value = noise.chance(0.4) ? noise.pick(values) : noise.text();
      return [noise.pick([...names, ...more]), value] as const;
    };
    const fields = noise.times(8, field);
    const text = fields.map(([name, value]) => `${name}=${noise.encode(value)}`).join("&");
    const basic: Header[] = noise.chance(0.3)
      ? [["Authorization", `Basic ${noise.bytes(40).toString("base64")}`]]
      : noise.chance(0.1)
        ? this.credentials()
        : [];
    if (route.method !== "POST") return this.request(route.method, `${this.fill(route.path)}?${text}`, basic);
    if (noise.chance(0.3))
      return this.request("POST", this.fill(route.path), [...basic, json], noise.json(Object.fromEntries(fields)));
    return this.request("POST", this.fill(route.path), [...basic, form], text);
  }

  private ruleCall(): NoisyRequest {
    const { noise } = this;
    const text = buildRuleText(noise);
    const administrator: Header[] = [
      ["Authorization", `Bearer ${this.target.callers[0]?.token}`],
      ["account", this.target.accounts[0] as string],
    ];
    const expressions = noise.times(4, () => `${noise.pick(["a", "b", "x", noise.text()])}: ${buildRuleText(noise)}`);
    const actions = noise.times(4, () => buildRuleAction(noise));
    const members = {
      name: noise.text(),
      trigger: noise.pick(["on status update", "on note added", "on create", "after delay", noise.text()]),
      generic: noise.pick(["request", "task", "workflow", "ci", "problem"]),
      expressions: expressions.join("\n"),
      condition: text,
      actions: actions.join("\n"),
      record_id: 1 + noise.below(3),
    };
    const paths = ["/v1/automation_rule_dry_run", "/v1/automation_rule_check", "/v1/automation_rules"];
    const path = noise.pick(paths);
    return this.request("POST", path, [...administrator, json], noise.json(members));
  }

  private part(name: string, value: Buffer | string, more = ""): Buffer {
    return Buffer.concat([
      Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
      Buffer.from(value as string),
      Buffer.from("\r\n"),
    ]);
  }

  private multipart(path: string, parts: readonly Buffer[]): NoisyRequest {
    const { noise } = this;
    const whole = Buffer.concat([...parts, Buffer.from("--edge--\r\n")]);
    const body = noise.chance(0.5) ? whole : whole.subarray(0, noise.below(whole.length + 1));
    const boundary = noise.pick(["edge", "edge", "edge", "edge", '"edge"', "", "other", printable(noise.text())]);
    const type: Header = ["Content-Type", `multipart/form-data; boundary=${boundary}`];
    return this.request("POST", path, [...this.credentials(), type], body.length === 0 ? "-" : body);
  }

  private upload(): NoisyRequest {
    const { noise } = this;
    const name = noise.text().replace(/["\r\n]/g, "_");
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    const content = noise.chance(0.3) ? png : noise.bytes(300);
    const file = this.part(
      noise.pick(["file", "avatar", "picture"]),
      content,
      `; filename="${name}"\r\nContent-Type: image/png`,
    );
    const grant = [
      "key",
      "x-xurrent-expiration",
      "x-xurrent-signature",
      "x-4me-expiration",
      "policy",
      "x-amz-signature",
    ];
    const parts = noise.times(5, () => this.part(noise.pick(grant), noise.text()));
    const path = noise.pick([
      "/v1/attachments",
      "/v1/people/1/avatar",
      "/v1/organizations/1/avatar",
      "/v1/requests",
      "/v1/import",
    ]);
    return this.multipart(path, [...parts, file]);
  }

  private importCall(): NoisyRequest {
    const { noise, target } = this;
    const type = noise.pick(target.types.all);
    const names = Object.keys(type.fields).filter(() => noise.chance(0.4));
    const quote = (text: string) => (noise.chance(0.8) ? `"${text.replaceAll('"', '""')}"` : text);
    const row = () => names.map(() => quote(noise.text())).join(noise.pick([",", ",", ";"]));
    const csv = [names.join(","), ...noise.times(4, row)].join(noise.pick(["\r\n", "\n", "\r"]));
    return this.multipart("/v1/import", [
      this.part("type", noise.chance(0.9) ? type.collection : noise.text()),
      this.part("file", csv, `; filename="x.csv"\r\nContent-Type: text/csv`),
    ]);
  }

  private streamCall(): NoisyRequest {
    const { noise, target } = this;
    const type = noise.pick(target.types.all).name;
    const topic = () =>
      noise.pick(["inbox", `list/${type}`, `record/${type}/${noise.id()}`, noise.encode(noise.text())]);
    const last = noise.chance(0.3) ? `&last_event_id=${noise.encode(noise.text())}` : "";
    const path = `/session-api/accounts/${noise.pick(target.accounts)}/stream?topics=${noise.times(5, topic).join(",")}${last}`;
    return this.request("GET", path, this.session());
  }

  private unknownCall(): NoisyRequest {
    const { noise } = this;
    const paths = [
      "/graphql",
      "/scim/v2/Users",
      "/mcp",
      "/.env",
      "/.git/config",
      "/wp-login.php",
      "/v2/requests",
      "/v1",
    ];
    const others = [
      "/web/../server/main.ts",
      "/a/%2e%2e/",
      "/attachments/",
      "/exchange/x/y/z",
      "*",
      "http://x/v1/me",
      "/%",
    ];
    const path = noise.chance(0.7) ? noise.pick([...paths, ...others]) : `/${noise.encode(noise.text())}`;
    const body = noise.json({ query: noise.text(), variables: noise.value() });
    return this.request(noise.pick(["GET", "POST", "DELETE", "PUT"]), path, [...this.credentials(), json], body);
  }

  private malformed(): NoisyRequest {
    const { noise } = this;
    const lines = [
      `GET /${noise.text()} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST /v1/requests HTTP/1.1\r\nContent-Length: ${noise.text()}\r\n\r\n{}`,
      "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      `POST /oauth/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${noise.text()}\r\n`,
      `GET /v1/me HTTP/${noise.pick(["0.9", "2.0", "1.1", "x"])}\r\n${noise.text()}\r\n\r\n`,
      noise.bytes(200).toString("latin1"),
    ];
    const bytes = Buffer.from(`${noise.pick(lines)}\r\n\r\n`, "latin1");
    return { entrance: "", method: "GET", bytes, isStream: false, isMalformed: true };
  }
}

/** Lists a Fastify application's routes from the tree that it prints. */
export function parseRoutes(tree: string): HttpRoute[] {
  const routes: HttpRoute[] = [];
  const parents: string[] = [];
  for (const line of tree.split("\n")) {
    const match = /^([│ ]*)[├└]── (\S*) ?(?:\(([A-Z, ]+)\))?/.exec(line);
    if (match === null) continue;
    const depth = (match[1] ?? "").length / 4;
    parents.length = depth;
    parents.push(match[2] ?? "");
    for (const method of (match[3] ?? "").split(", "))
      if (method !== "") routes.push({ method, path: parents.join("") });
  }
  return routes;
}
