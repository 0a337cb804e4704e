import fc from "fast-check";
import { request } from "./raw.ts";
import { tokenOf } from "./seed.ts";
import { specimen } from "./specimen.ts";

// Requests made of noise: paths, queries, headers and bodies that are wrong in every way we could think of, over real
// field names of real types. Read with fast-check: `fc.sample(noise, { seed, numRuns })`.

export const credentials = [
  ["Authorization", `Bearer ${tokenOf("administrator")}`],
  ["account", "widget-it"],
] as const;

// biome-ignore-start format: tables of noise keep their lines
const hostileText = fc.constantFrom(
  ...["", " ", "0", "-1", "1e2", "1.5", "0x10", "9007199254740993", "99999999999999999999", "NaN", "Infinity", "null"],
  ...["true", "[]", "{}", "__proto__", "constructor", "toString", "hasOwnProperty", "infinity", "-infinity", "now"],
  ...["2024-02-30", "0000-01-01", "999999-01-01", "2024-01-01T25:00:00Z", "9999-12-31T24:00:00Z", "24:00", "24:01"],
  ...["9999-12-31T23:59:59-14:00", "1900-01-01T00:00:00+14:00", "best_effort", "1:45", "9999999:59", "99999999:00"],
  ...["'; DROP TABLE people; --", "' OR 1=1", "$1", "$$", "\\", '"', "%", "_", "\u0000", "\ud800", "\udfff\ud800"],
  ...["\ufeff", "\u202e", "\u{1f600}".repeat(20), "a".repeat(300), "é", "\r\nX-Evil: 1", "../../etc/passwd", "<b>"],
  ...["Europe/Amsterdam", "Etc/GMT+12", "Mars/Phobos", "registered", "high", "eur", "1,2,3", ",", "1,", "!", "me"],
);
const anyText = fc.oneof({ weight: 4, arbitrary: hostileText }, fc.string({ unit: "binary", maxLength: 20 }));
const fields = fc.constantFrom(
  ...["id", "ids", "source", "sourceID", "subject", "status", "priority", "long", "count", "price", "price_currency"],
  ...[
    "ratio",
    "flag",
    "maybe",
    "day",
    "moment",
    "goal",
    "length",
    "clock",
    "zone",
    "team",
    "team_id",
    "owner",
    "teams",
  ],
  ...[
    "team_ids",
    "names",
    "custom_fields",
    "extra",
    "secret",
    "disabled",
    "assigned_at",
    "attachments",
    "name",
    "nodeID",
  ],
  ...["long_attachments", "created_at", "updated_at", "primary_email", "organization_id", "manager", "work_hours_id"],
  ...[
    "time_zone",
    "locale",
    "roles",
    "contacts",
    "addresses",
    "picture_uri",
    "cost_per_hour",
    "__proto__",
    "constructor",
  ],
  ...[
    "toString",
    "information",
    "information_attachments",
    "vip",
    "parent_id",
    "members",
    "site",
    "provider",
    "account",
  ],
);
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

/** Percent-encoding as it should be, as it should not be, and bytes that are no text. */
const encoded = (text: string, how: number): string => {
  if (how === 0) return text.replace(/[^\x21-\x7e]/g, "%");
  if (how === 1) return `${encodeURIComponent(text.toWellFormed())}%`;
  if (how === 2) return `${encodeURIComponent(text.toWellFormed())}%ff%fe`;
  if (how === 3) return `%ed%a0%80${encodeURIComponent(text.toWellFormed())}`;
  return encodeURIComponent(text.toWellFormed());
};
const how = fc.constantFrom(0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4);
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
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...specimen.sortable) }, fields),
  ),
  { maxLength: 3 },
);
const filterable = fc.constantFrom(...specimen.filterable, "ids", "team_id");
const parameter = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(filterable, operator, anyText, fc.constant(4))
      .map(([name, op, text, way]) => `${name}=${encoded(op + text, way)}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fields, operator, anyText, how)
      .map(([name, op, text, way]) => `${name}=${encoded(op + text, way)}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(filterable, anyText, fc.constant(4))
      .map(([name, text, way]) => `${name}!=${encoded(text, way)}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("per_page", "page", "state", "predefined_filter", "fields", "sort", "roles"), anyText, how)
      .map(([name, text, way]) => `${name}=${encoded(text, way)}`),
  },
  fc
    .tuple(fc.constantFrom("search_after", "search_before"), cursor)
    .map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`),
  sort.map((keys) => `sort=${keys.map((key) => key.join("")).join(",")}`),
  fc.array(fields, { maxLength: 8 }).map((names) => `fields=${names.join(",")}`),
  fc
    .tuple(fields, fc.constantFrom("[]", "[a]", "[a][b]", "[", "]"), anyText)
    .map(([name, brackets, text]) => `${name}${brackets}=${encoded(text, 4)}`),
  fc.tuple(anyText, anyText, how).map(([name, text, way]) => `${encoded(name, way)}=${encoded(text, way)}`),
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
  fc.tuple(anyText, how).map(([text, way]) => encoded(text, way)),
);
const path = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom("/specimens") },
  { weight: 6, arbitrary: fc.constantFrom("/people", "/teams", "/organizations", "/sites", "/services") },
  {
    weight: 12,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          "/specimens",
          "/specimens",
          "/specimens",
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

const scalar = fc.oneof(
  { weight: 4, arbitrary: anyText.map((text) => JSON.stringify(text)) },
  fc.constantFrom(
    "1.5",
    "1e3",
    "1e400",
    "-1e400",
    "-0",
    "99999999999",
    "123456789012345678901234567890",
    "0.1e-400",
    "null",
    "true",
  ),
  fc.constantFrom(
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u202e"',
    "[]",
    "{}",
    '{"id":{}}',
    '{"id":null}',
    '{"id":1}',
    "[[]]",
  ),
);
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.array(scalar, { maxLength: 4 }).map((list) => `[${list.join(",")}]`),
  fc
    .array(fc.tuple(fields, scalar), { maxLength: 3 })
    .map((members) => `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`),
  fc.constantFrom(
    `[${"1,".repeat(2000)}1]`,
    "[".repeat(40) + "]".repeat(40),
    '{"key":1}',
    '[{"key":"attachments/x"}]',
    '[{"key":"\\u0000"}]',
    '[{"id":"a","value":1}]',
    '[{"id":1}]',
  ),
);
const jsonBody = fc
  .tuple(fc.array(fc.tuple(fields, value), { maxLength: 6 }), fc.boolean())
  .map(([members, named]) =>
    Buffer.from(`{${named ? '"subject":"x",' : ""}${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`),
  );
const form = fc
  .array(fc.tuple(fields, fc.constantFrom("", "[]", "[a]", "[0]", "[__proto__]", "["), anyText, how), { maxLength: 5 })
  .map((parts) =>
    Buffer.from(parts.map(([name, brackets, text, way]) => `${name}${brackets}=${encoded(text, way)}`).join("&")),
  );
const multipart = fc
  .array(fc.tuple(fields, anyText, fc.constantFrom("", '; filename="a.txt"', "; filename*=UTF-8''%ff")), {
    maxLength: 4,
  })
  .map((parts) =>
    Buffer.from(
      `${parts.map(([name, text, file]) => `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`).join("")}--b--\r\n`,
    ),
  );
const huge = Buffer.from(`{"subject":"x","long":"${"y".repeat(2_000_000)}"}`);
const body = fc.oneof(
  { weight: 20, arbitrary: jsonBody.map((bytes) => ["application/json", bytes] as const) },
  { weight: 4, arbitrary: form.map((bytes) => ["application/x-www-form-urlencoded", bytes] as const) },
  { weight: 4, arbitrary: multipart.map((bytes) => ["multipart/form-data; boundary=b", bytes] as const) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(jsonBody, fc.nat(60))
      .map(([bytes, cut]) => ["application/json", bytes.subarray(0, Math.min(cut, bytes.length))] as const),
  },
  {
    weight: 4,
    arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => ["application/json", Buffer.from(bytes)] as const),
  },
  {
    weight: 3,
    arbitrary: jsonBody.map((bytes) => ["application/json", Buffer.concat([Buffer.from("\ufeff"), bytes])] as const),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        "[]",
        "[1]",
        "1",
        '"x"',
        "null",
        "",
        " ",
        "{",
        "{}",
        "}",
        '{"a":1}{}',
        '{"__proto__":{}}',
        '{"constructor":{"prototype":{}}}',
      )
      .map((text) => ["application/json", Buffer.from(text)] as const),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom(
        "text/plain",
        "application/xml",
        "application/json; charset=utf-16",
        'application/json;charset="latin1"',
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "a",
        "/",
        "application/json; charset",
        "text/json",
      ),
      jsonBody,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ["application/json", huge] as const,
      ["application/json", Buffer.from("[".repeat(100_000))] as const,
    ),
  },
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
      ["Authorization", credentials[0][1]],
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

/** One request of noise, as bytes. */
export const noise = fc
  .tuple(
    method,
    path,
    ending,
    query,
    fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 2 })),
    body,
    fc.nat(50),
  )
  .map(([wanted, place, end, parameters, headers, [type, bytes], luck]) => {
    // Mostly a method that the path knows, so that the noise gets past the router.
    const isOne = /^\/\w+\/[^/]+$/.test(place);
    const fitting =
      isOne && wanted === "POST" ? "PATCH" : !isOne && /^(PATCH|PUT|DELETE)$/.test(wanted) ? "POST" : wanted;
    const verb = place === "/specimens/1" && wanted === "DELETE" ? "PATCH" : luck < 5 ? wanted : fitting;
    const isRead = verb === "GET" || verb === "HEAD" || verb === "OPTIONS" || verb === "TRACE";
    const payload = isRead && luck > 1 ? Buffer.alloc(0) : bytes;
    const target = `/v1${place}${end}${parameters}`.replace(/[^\x21-\x7e]/g, "%").slice(0, 8000);
    const all = [
      ...(luck === 0 ? [] : credentials),
      ...headers,
      ...(payload.length > 0 ? [["Content-Type", type] as const] : []),
    ];
    return { method: verb, target, bytes: request(verb, target, all, payload) };
  });
// biome-ignore-end format: tables of noise keep their lines
