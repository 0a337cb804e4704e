import fc from "fast-check";

// Random values, names and bodies for random-requests.ts.

const hostileText = fc.constantFrom(
  ...["", " ", "0", "-1", "1e2", "1.5", "0x10", "9007199254740993", "99999999999999999999", "NaN", "Infinity", "null"],
  ...["true", "[]", "{}", "__proto__", "constructor", "toString", "hasOwnProperty", "infinity", "-infinity", "now"],
  ...["2024-02-30", "0000-01-01", "999999-01-01", "2024-01-01T25:00:00Z", "9999-12-31T24:00:00Z", "24:00", "24:01"],
  ...["9999-12-31T23:59:59-14:00", "1900-01-01T00:00:00+14:00", "best_effort", "1:45", "9999999:59", "99999999:00"],
  ...["'; DROP TABLE people; --", "' OR 1=1", "$1", "$$", "\\", '"', "%", "_", "\u0000", "\ud800", "\udfff\ud800"],
  ...["\ufeff", "\u202e", "\u{1f600}".repeat(20), "a".repeat(300), "é", "\r\nX-Evil: 1", "../../etc/passwd", "<b>"],
  ...["Europe/Amsterdam", "Etc/GMT+12", "Mars/Phobos", "registered", "high", "eur", "1,2,3", ",", "1,", "!", "me"],
);
export const anyText = fc.oneof({ weight: 4, arbitrary: hostileText }, fc.string({ unit: "binary", maxLength: 20 }));
export const anyField = fc.constantFrom(
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
  ...["category", "category_id", "means", "kits", "held_at", "recurrence", "rhythm", "hidden", "form", "parts"],
  ...["frequency", "interval", "calendar", "calendar_id", "day", "day_of_month", "start_date", "time_of_day"],
);

/** Correct and incorrect percent-encoding, and bytes that aren't valid text. */
export const percentEncode = (text: string, how: number): string => {
  if (how === 0) return text.replace(/[^\x21-\x7e]/g, "%");
  if (how === 1) return `${encodeURIComponent(text.toWellFormed())}%`;
  if (how === 2) return `${encodeURIComponent(text.toWellFormed())}%ff%fe`;
  if (how === 3) return `%ed%a0%80${encodeURIComponent(text.toWellFormed())}`;
  return encodeURIComponent(text.toWellFormed());
};
export const encodingMode = fc.constantFrom(0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4);

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
    .array(fc.tuple(anyField, scalar), { maxLength: 3 })
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
  .tuple(fc.array(fc.tuple(anyField, value), { maxLength: 6 }), fc.boolean())
  .map(([members, named]) =>
    Buffer.from(
      `{${named ? '"subject":"x","name":"x",' : ""}${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`,
    ),
  );
const form = fc
  .array(fc.tuple(anyField, fc.constantFrom("", "[]", "[a]", "[0]", "[__proto__]", "["), anyText, encodingMode), {
    maxLength: 5,
  })
  .map((parts) =>
    Buffer.from(parts.map(([name, brackets, text, way]) => `${name}${brackets}=${percentEncode(text, way)}`).join("&")),
  );
const multipart = fc
  .array(fc.tuple(anyField, anyText, fc.constantFrom("", '; filename="a.txt"', "; filename*=UTF-8''%ff")), {
    maxLength: 4,
  })
  .map((parts) =>
    Buffer.from(
      `${parts.map(([name, text, file]) => `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`).join("")}--b--\r\n`,
    ),
  );
const huge = Buffer.from(`{"subject":"x","long":"${"y".repeat(2_000_000)}"}`);
/** A content type with the bytes of a body. */
export const anyBody = fc.oneof(
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
