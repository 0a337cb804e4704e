import fc from "fast-check";
import { buildRawRequest } from "../clients/raw-http.ts";
import { specimen } from "../records/specimen.ts";
import { tokenFor } from "../seed.ts";
import { anyBody, anyField, anyText, encodingMode, percentEncode } from "./random-values.ts";

// Random HTTP requests: paths, queries, headers and bodies with every error that we could think of, with real field names of real
// types. Sample them with fast-check: `fc.sample(noise, { seed, numRuns })`.

export const credentialHeaders = [
  ["Authorization", `Bearer ${tokenFor("administrator")}`],
  ["account", "widget-it"],
] as const;

const operator = fc.constantFrom(
  "",
  "",
  "!",
  "<",
  "<=",
  ">",
  ">=",
  ">1<",
  ">=2024-01-01<=",
  "<1>",
  "=",
  "==",
  "!!",
  "><",
);

const cursor = fc.oneof(
  anyText,
  fc
    .tuple(
      fc.oneof(fc.constantFrom(0, -1, 1.5, 2 ** 31, null, "1"), fc.nat(50)),
      fc.oneof(
        fc.constant(null),
        fc.array(fc.oneof(anyText, fc.constant(null), fc.nat(), fc.constant("1")), { maxLength: 3 }),
      ),
    )
    .map(([offset, place]) => Buffer.from(JSON.stringify({ offset, cursor: place })).toString("base64url")),
  fc
    .constantFrom(
      "2024-02-30",
      "2024-01-01 99:99:99+00",
      "0000-01-01",
      "1e999",
      "1e-400",
      "t",
      "2024-01-01 00:00:00+99:99",
    )
    .map((value) => Buffer.from(JSON.stringify({ offset: 0, cursor: [value, "1"] })).toString("base64url")),
);
const sort = fc.array(
  fc.tuple(
    fc.constantFrom("", "-", "", "-", "--", " "),
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...specimen.sortable) }, anyField),
  ),
  { maxLength: 3 },
);
const filterable = fc.constantFrom(...specimen.filterable, "ids", "team_id");
const parameter = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(filterable, operator, anyText, fc.constant(4))
      .map(([name, op, text, way]) => `${name}=${percentEncode(op + text, way)}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyField, operator, anyText, encodingMode)
      .map(([name, op, text, way]) => `${name}=${percentEncode(op + text, way)}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(filterable, anyText, fc.constant(4))
      .map(([name, text, way]) => `${name}!=${percentEncode(text, way)}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom("per_page", "page", "state", "predefined_filter", "fields", "sort", "roles"),
        anyText,
        encodingMode,
      )
      .map(([name, text, way]) => `${name}=${percentEncode(text, way)}`),
  },
  fc
    .tuple(fc.constantFrom("search_after", "search_before"), cursor)
    .map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`),
  sort.map((keys) => `sort=${keys.map((key) => key.join("")).join(",")}`),
  fc.array(anyField, { maxLength: 8 }).map((names) => `fields=${names.join(",")}`),
  fc
    .tuple(anyField, fc.constantFrom("[]", "[a]", "[a][b]", "[", "]"), anyText)
    .map(([name, brackets, text]) => `${name}${brackets}=${percentEncode(text, 4)}`),
  fc
    .tuple(anyText, anyText, encodingMode)
    .map(([name, text, way]) => `${percentEncode(name, way)}=${percentEncode(text, way)}`),
);
const query = fc.array(parameter, { maxLength: 3 }).map((parts) => (parts.length === 0 ? "" : `?${parts.join("&")}`));

const nodeId = fc
  .tuple(fc.constantFrom("steward/Specimen/", "steward/Person/", "x/Specimen/", "steward/Specimen//", ""), anyText)
  .map(([start, text]) => Buffer.from(start + text).toString("base64url"));
const segment = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom("1", "1", "1", "1", "1", "2", "3", "me", "0", "-1", "2147483648", "99999999999999"),
  },
  nodeId,
  fc.tuple(anyText, encodingMode).map(([text, way]) => percentEncode(text, way)),
);
const path = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom("/specimens", "/specimens", "/samples") },
  { weight: 6, arbitrary: fc.constantFrom("/people", "/teams", "/organizations", "/sites", "/services") },
  {
    weight: 12,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          "/specimens",
          "/specimens",
          "/specimens",
          "/samples",
          "/parts",
          "/people",
          "/teams",
          "/organizations",
          "/audit_lines",
        ),
        segment,
      )
      .map((parts) => parts.join("/")),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom("/specimens", "/people"),
        segment,
        fc.constantFrom(
          "audit",
          "spots",
          "helpers",
          "relatives",
          "archive",
          "restore",
          "restore",
          "permissions",
          "avatar",
          "teams",
          "contacts",
        ),
        fc.option(segment),
      )
      .map(([collection, id, rest, last]) => `${collection}/${id}/${rest}${last === null ? "" : `/${last}`}`),
  },
  fc.constantFrom(
    "",
    "/me",
    "/account",
    "/enums",
    "/enums/nl",
    "/rate_limit",
    "/attachments",
    "/attachments/storage",
    "/archive",
    "/trash",
    "/audit_lines",
    "/account/billing",
  ),
  fc.tuple(segment, segment).map(([one, other]) => `/${one}/${other}`),
);
const ending = fc.constantFrom(
  ...Array(30).fill(""),
  "/",
  "//",
  ".json",
  ".json/",
  ".JSON",
  ".csv",
  ".html",
  "/.json",
  "/..",
  "/../../..",
  ";a=b",
  "#x",
);

const header = fc
  .oneof(
    fc.tuple(
      fc.constantFrom(
        "account",
        "X-4me-Account",
        "language",
        "X-Xurrent-Language",
        "X-4me-Source",
        "Etag",
        "If-None-Match",
        "Prefer",
        "Accept",
        "User-Agent",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "X-Request-Id",
        "Accept-Encoding",
        "Range",
        "Cookie",
      ),
      anyText,
    ),
    fc.constantFrom(
      ["Accept", "text/html"],
      ["Accept", "*/*;q=0"],
      ["Accept", "application/json;q=x"],
      ["Authorization", "Bearer x"],
      ["Authorization", "Basic eDp5"],
    ),
    fc.constantFrom(
      ["account", "widget-it"],
      ["account", "stranger"],
      ["Prefer", "handling=strict"],
      ["Authorization", credentialHeaders[0][1]],
    ),
  )
  .map(
    ([name, text]) =>
      [
        name as string,
        Buffer.from((text as string).toWellFormed().replace(/[\0-\x08\x0a-\x1f\x7f]/g, "?")).toString("latin1"),
      ] as const,
  );
const method = fc.constantFrom(
  ...Array(16).fill("GET"),
  ...Array(12).fill("POST"),
  ...Array(8).fill("PATCH"),
  "PATCH",
  "PATCH",
  "PUT",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
);

/** One random HTTP request, as bytes. */
export const randomRequest = fc
  .tuple(
    method,
    path,
    ending,
    query,
    fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 2 })),
    anyBody,
    fc.nat(50),
  )
  .map(([wanted, place, end, parameters, headers, [type, bytes], luck]) => {
    // Mostly a method that the path supports, so that the noise passes the router.
    const isOne = /^\/\w+\/[^/]+$/.test(place);
    const fitting =
      isOne && wanted === "POST" ? "PATCH" : !isOne && /^(PATCH|PUT|DELETE)$/.test(wanted) ? "POST" : wanted;
    const verb = place === "/specimens/1" && wanted === "DELETE" ? "PATCH" : luck < 5 ? wanted : fitting;
    const isRead = verb === "GET" || verb === "HEAD" || verb === "OPTIONS" || verb === "TRACE";
    const payload = isRead && luck > 1 ? Buffer.alloc(0) : bytes;
    const target = `/v1${place}${end}${parameters}`.replace(/[^\x21-\x7e]/g, "%").slice(0, 8000);
    const all = [
      ...(luck === 0 ? [] : credentialHeaders),
      ...headers,
      ...(payload.length > 0 ? [["Content-Type", type] as const] : []),
    ];
    return { method: verb, target, bytes: buildRawRequest(verb, target, all, payload) };
  });
