// Named errors, each with its status and message: CV32.

import { credentialHeaders } from "./random-requests.ts";

// biome-ignore format: a table keeps its columns
export const malformedQueries: [string, string, number, string | null][] = [
  ["NUL in a query",                       "/specimens?subject=%00",                          400, "The query string contains invalid characters"],
  ["NUL in the name of a parameter",       "/specimens?sub%00ject=1",                         400, "The query string contains invalid characters"],
  ["NUL in a path",                        "/specimens/%00",                                  404, "Not Found"],
  ["a lone surrogate in a query",          "/specimens?subject=%ed%a0%80",                    400, "The query string is not valid percent-encoded UTF-8"],
  ["a lone surrogate in a path",           "/specimens/%ed%a0%80",                            400, "The path is not valid percent-encoded UTF-8"],
  ["half an escape in a query",            "/specimens?subject=%4",                           400, "The query string is not valid percent-encoded UTF-8"],
  ["half an escape in a path",             "/specimens/%zz",                                  400, "The path is not valid percent-encoded UTF-8"],
  ["per_page=0",                           "/specimens?per_page=0",                           400, "Parameter 'per_page' cannot be less than 1"],
  ["per_page=-1",                          "/specimens?per_page=-1",                          400, "Parameter 'per_page' cannot be less than 1"],
  ["per_page=1e2",                         "/specimens?per_page=1e2",                         400, "Parameter 'per_page' must be an integer"],
  ["per_page=1.5",                         "/specimens?per_page=1.5",                         400, "Parameter 'per_page' must be an integer"],
  ["per_page beyond 53 bits",              "/specimens?per_page=9007199254740993",            200, null], // above 100 is 100
  ["per_page twice with different values", "/specimens?per_page=1&per_page=2",                400, "Parameter 'per_page' is given more than once"],
  ["per_page twice with the same value",   "/specimens?per_page=2&per_page=2",                200, null],
  ["page beyond 53 bits",                  "/specimens?page=9007199254740993",                400, "Parameter 'page' is too large"],
  ["the largest page",                     "/specimens?page=2147483647&per_page=100",         200, null],
  ["an integer filter with a fraction",    "/specimens?count=1.5",                            400, "Invalid value for field 'count'"],
  ["an integer filter out of range",       "/specimens?id=99999999999",                       400, "Invalid value for field 'id'"],
  ["30 February in a filter",              "/specimens?day=2024-02-30",                       400, "Invalid value for field 'day'"],
  ["infinity in a filter",                 "/specimens?moment=>infinity",                     400, "Invalid value for field 'moment'"],
  ["the end of the last day of time",      "/specimens?moment=9999-12-31T24:00:00Z",          400, "Invalid value for field 'moment'"],
  ["the end of time, far in the west",     "/specimens?moment=<9999-12-31T23:59:59-14:00",    400, "Invalid value for field 'moment'"],
  ["a decimal filter with an exponent",    "/specimens?price=1e400",                          400, "Invalid value for field 'price'"],
  ["a member every object has, as filter", "/specimens?constructor=1",                        400, "Unknown fields: constructor"],
  ["a member every object has, as sort",   "/specimens?sort=constructor",                     400, "Sorting not allowed on fields: constructor"],
  ["a member every object has, as field",  "/specimens?fields=constructor",                   400, "Unknown fields: constructor"],
  ["a member every object has, as state",  "/specimens?state=constructor",                    400, "Invalid value for parameter 'state': constructor"],
  ["__proto__ as state",                   "/specimens?state=__proto__",                      400, "Invalid value for parameter 'state': __proto__"],
  ["a cursor that is no base64",           "/specimens?search_after=%25%25",                  400, "Invalid value for parameter 'search_after'"],
  ["a cursor with 30 February",            `/specimens?sort=day&search_after=${cursor("2024-02-30")}`,                400, "Invalid value for parameter 'search_after'"],
  ["a cursor with the year 0",             `/specimens?sort=day&search_after=${cursor("0000-01-01")}`,                400, "Invalid value for parameter 'search_after'"],
  ["a cursor at 99 o'clock",               `/specimens?sort=moment&search_after=${cursor("2024-01-01 99:99:99+00")}`, 400, "Invalid value for parameter 'search_after'"],
  ["a cursor in the zone +99:99",          `/specimens?sort=moment&search_after=${cursor("2024-01-01 00:00:00+99:99")}`, 400, "Invalid value for parameter 'search_after'"],
  ["a cursor with 1e999",                  `/specimens?sort=ratio&search_before=${cursor("1e999")}`,                  400, "Invalid value for parameter 'search_before'"],
  ["a cursor with an object",              `/specimens?search_after=${Buffer.from('{"offset":0,"cursor":{}}').toString("base64url")}`, 400, "Invalid value for parameter 'search_after'"],
  ["201 parameters",                       `/specimens?${"id=1&".repeat(201)}`,               400, "Too many parameters"],
  ["brackets of two kinds as parameters",  "/specimens?names[a]=1&names[]=2",                 400, "Unknown fields: names[a], names[]"],
];

function cursor(value: string): string {
  return Buffer.from(JSON.stringify({ offset: 0, cursor: [value, "1"] })).toString("base64url");
}

const long = (count: number, entry: string) => `[${Array(count).fill(entry).join(",")}]`;
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
type Pairs = [string, string][];

// biome-ignore format: a table keeps its columns
export const malformedBodies: [string, string, string | Buffer, number, string | Pairs | null][] = [
  ["NUL in a field",                "application/json", '{"subject":"a\\u0000b"}',                     422, [["subject", "Subject contains invalid characters"]]],
  ["NUL as a byte",                 "application/json", '{"subject":"a\0b"}',                          400, "Invalid JSON string posted"],
  ["NUL inside a hash",             "application/json", '{"subject":"a","extra":{"a":["\\u0000"]}}',   422, [["extra", "Extra contains invalid characters"]]],
  ["NUL in a name inside a hash",   "application/json", '{"subject":"a","extra":{"\\u0000":1}}',       422, [["extra", "Extra contains invalid characters"]]],
  ["a lone surrogate",              "application/json", '{"subject":"a\\ud800"}',                      422, [["subject", "Subject contains invalid characters"]]],
  ["two surrogates, swapped",       "application/json", '{"subject":"\\udc00\\ud800"}',                422, [["subject", "Subject contains invalid characters"]]],
  ["an integer of 1.5",             "application/json", '{"subject":"a","count":1.5}',                 422, [["count", "Count must be an integer"]]],
  ["an integer of 1e1",             "application/json", '{"subject":"a","count":1e1}',                 422, [["count", "Count must be an integer"]]],
  ["an integer of \"1e3\"",         "application/json", '{"subject":"a","count":"1e3"}',               422, [["count", "Count must be an integer"]]],
  ["an integer of 99999999999",     "application/json", '{"subject":"a","count":99999999999}',         422, [["count", "Count must be less than or equal to 100"]]],
  ["an integer of \"0x10\"",        "application/json", '{"subject":"a","count":"0x10"}',              422, [["count", "Count is not a number"]]],
  ["an integer of 1e400",           "application/json", '{"subject":"a","count":1e400}',               422, [["count", "Count must be an integer"]]],
  ["a decimal of 1e400",            "application/json", '{"subject":"a","price":1e400}',               422, [["price", "Price is not a number"]]],
  ["a decimal of 40 digits",        "application/json", `{"subject":"a","price":${"9".repeat(40)}}`,   422, [["price", "Price is not a number"]]],
  ["a date of 2024-02-30",          "application/json", '{"subject":"a","day":"2024-02-30"}',          422, [["day", "Day is not a valid date"]]],
  ["a date of infinity",            "application/json", '{"subject":"a","day":"infinity"}',            422, [["day", "Day is not a valid date"]]],
  ["a date in the year 999999",     "application/json", '{"subject":"a","day":"999999-01-01"}',        422, [["day", "Day is not a valid date"]]],
  ["a datetime of infinity",        "application/json", '{"subject":"a","moment":"infinity"}',         422, [["moment", "Moment is not a valid datetime"]]],
  ["a datetime at 24:00 of 9999",   "application/json", '{"subject":"a","moment":"9999-12-31T24:00:00Z"}', 422, [["moment", "Moment is not a valid datetime"]]],
  ["a target at 24:00 of 9999",     "application/json", '{"subject":"a","goal":"9999-12-31T24:00:00Z"}', 422, [["goal", "Goal is not a valid datetime"]]],
  ["an object for a string",        "application/json", '{"subject":{}}',                              422, [["subject", "Subject is not a valid text"]]],
  ["a list for a reference",        "application/json", '{"subject":"a","team":[1]}',                  422, [["team", "Team is not a valid reference"]]],
  ["a text for a list of files",    "application/json", '{"subject":"a","long_attachments":"x"}',      422, [["long_attachments", "Long attachments is not a valid list"]]],
  ["10,000 texts",                  "application/json", `{"subject":"a","names":${long(10_000, '"x"')}}`, 422, [["names", "Names has too many entries (maximum is 1000)"]]],
  ["10,000 references",             "application/json", `{"subject":"a","team_ids":${long(10_000, "1")}}`, 422, [["teams", "Teams has too many entries (maximum is 1000)"]]],
  ["10,000 entries inside a hash",  "application/json", `{"subject":"a","extra":{"a":${long(10_000, "1")}}}`, 422, [["extra", "Extra has too many entries (maximum is 1000)"]]],
  ["64 KB that do not compress",    "application/json", JSON.stringify({ subject: "a", long: incompressible(49_000) }), 200, null],
  ["an unknown charset",            "application/json; charset=utf-16", '{"subject":"a"}',             400, "The charset utf-16 is not supported, only utf-8"],
  ["bytes that are no UTF-8",       "application/json", bytes('{"subject":"', [0xff, 0xfe], '"}'),     400, "The body is not valid UTF-8"],
  ["an overlong NUL",               "application/json", bytes('{"subject":"', [0xc0, 0x80], '"}'),     400, "The body is not valid UTF-8"],
  ["a byte-order mark",             "application/json", bytes([0xef, 0xbb, 0xbf], '{"subject":"a"}'),  200, null],
  ["__proto__",                     "application/json", '{"subject":"a","__proto__":{"x":1}}',         400, "Invalid JSON string posted"],
  ["__proto__ in disguise",         "application/json", '{"subject":"a","extra":{"\\u005f_proto__":1}}', 400, "Invalid JSON string posted"],
  ["a number for a list",           "application/json", '{"subject":"a","names":5}',                   422, [["names", "Names is not a valid list"]]],
  ["a number for a list, after one", "application/json", '{"subject":"a","names":5,"ratio":1.5}',      422, [["names", "Names is not a valid list"]]],
  ["a fraction for a list",         "application/json", '{"subject":"a","team_ids":1.5}',              422, [["teams", "Teams is not a valid list"]]],
  ["a member twice",                "application/json", '{"subject":"a","subject":"b"}',               400, 'The JSON names the member "subject" twice'],
  ["a member twice in disguise",    "application/json", '{"subject":"a","s\\u0075bject":"b"}',         400, 'The JSON names the member "subject" twice'],
  ["a member twice, further inside", "application/json", '{"subject":"a","extra":{"a":[{"b":1,"b":1}]}}', 400, 'The JSON names the member "b" twice'],
  ["a member once in each object",  "application/json", '{"subject":"subject\\":","extra":{"subject":{"subject":1},"x":[{"a":1},{"a":1}]}}', 200, null],
  ["70,000 members",                "application/json", `{"subject":"a",${Array.from({ length: 70_000 }, (_, n) => `"m${n}":1`).join(",")}}`, 400, "An object of the JSON has more than 1000 members"],
  ["70,000 objects",                "application/json", `{"subject":"a","extra":{"a":${long(70_000, '{"a":1}')}}}`, 400, "The JSON has too many members and values"],
  ["70,000 entries",                "application/json", `{"subject":"a","names":${long(70_000, '"x"')}}`, 400, "The JSON has too many members and values"],
  ["70,000 blanks and commas",      "application/json", `{${", ".repeat(70_000)}}`,                     400, "The JSON has too many members and values"],
  ["a form of 10,000 fields",       "application/x-www-form-urlencoded", `subject=a${"&names[]=b".repeat(10_000)}`, 400, "The form has more than 5000 fields"],
  ["half a body",                   "application/json", '{"subject":',                                 400, "Invalid JSON string posted"],
  ["two bodies in one",             "application/json", '{"subject":"a"}{}',                           400, "Invalid JSON string posted"],
  ["2 MB",                          "application/json", `{"subject":"${"x".repeat(2_000_000)}"}`,      413, "Request Entity Too Large"],
  ["a tower of brackets",           "application/json", `{"extra":${"[".repeat(100_000)}`,             400, "The JSON is nested too deeply"],
  ["a list at the top",             "application/json", "[]",                                          400, "The body must be a JSON object"],
  ["a text at the top",             "application/json", '"x"',                                         400, "The body must be a JSON object"],
  ["null at the top",               "application/json", "null",                                        400, "The body must be a JSON object"],
  ["nothing",                       "application/json", "",                                            422, [["subject", "Subject can't be blank"]]],
  ["plain text",                    "text/plain",       '{"subject":"a"}',                             415, "The content type text/plain is not supported, send application/json"],
  ["XML",                           "application/xml",  "<a/>",                                        415, "The content type application/xml is not supported, send application/json"],
  ["an invalid content type",        "/",                '{"subject":"a"}',                             415, "Unsupported Media Type"],
  ["a form",                        "application/x-www-form-urlencoded", "subject=a&names[]=b&names[]=c", 200, null],
  ["a list that is also a map",      "application/x-www-form-urlencoded", "subject=a&names[a]=1&names[]=2", 422, [["names", "Names is not a valid list"]]],
  ["a form with NUL",               "application/x-www-form-urlencoded", "subject=%00",                 422, [["subject", "Subject contains invalid characters"]]],
  ["multipart",                     "multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="subject"\r\n\r\na\r\n--b--\r\n', 200, null],
  ["an incomplete multipart",        "multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="subject"\r\n\r\na', 400, "The multipart body is incomplete or malformed."],
  ["multipart without a boundary",  "multipart/form-data", "--b--\r\n",                                400, "The request must be multipart/form-data with a boundary."],
];

function incompressible(count: number): string {
  let [state, text] = [1, ""];
  while (text.length < count) {
    state = (state * 48_271) % 2_147_483_647;
    text += String.fromCharCode(0x21 + (state % 94));
  }
  return text.replaceAll("<", "_");
}

const head = credentialHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join("");

// biome-ignore format: a table keeps its columns
export const malformedRequests: [string, string, number][] = [
  ["HTTP/1.0 without a Host",                `GET /v1/specimens HTTP/1.0\r\n${head}\r\n`,                                                  200],
  ["an invalid Host",                        `GET /v1/specimens HTTP/1.1\r\nHost: <>"\r\nConnection: close\r\n${head}\r\n`,               200],
  ["the absolute form of a target",          `GET http://a.example/v1/specimens HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n${head}\r\n`, 200],
  ["the absolute form with .json",           `GET http://a.example/v1/specimens.json HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n${head}\r\n`, 200],
  ["an unknown expectation",                 `GET /v1/specimens HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n${head}\r\n`, 417],
  ["no Host",                                `GET /v1/specimens HTTP/1.1\r\n${head}\r\n`,                                                  400],
  ["a length and chunks",                    `POST /v1/specimens HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n${head}\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
  ["two lengths",                            `POST /v1/specimens HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n${head}\r\n{}{}}`, 400],
  ["an encoding that is not chunked",        `POST /v1/specimens HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n${head}\r\n{}`,  400],
  ["an invalid chunk size",                  `POST /v1/specimens HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${head}\r\nzz\r\n{}`, 400],
  ["NUL in a header",                        `GET /v1/specimens HTTP/1.1\r\nHost: a\r\nX: \0\r\n${head}\r\n`,                            400],
  ["a blank before the colon",               `GET /v1/specimens HTTP/1.1\r\nHost : a\r\n${head}\r\n`,                                    400],
  ["not HTTP",                               "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",                                400],
  ["a URL of 20,000 letters",                `GET /v1/${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n${head}\r\n`,                         431],
  ["headers of 20,000 letters",              `GET /v1/me HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n${head}\r\n`,                431],
];
