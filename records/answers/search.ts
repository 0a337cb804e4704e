import {
  answer,
  anything,
  boolean,
  defaultsTo,
  float,
  integer,
  list,
  map,
  noted,
  object,
  openAnswer,
  operations,
  optional,
  orNull,
  string,
  typeName,
  url,
  word,
} from "../vocabulary/index.ts";

// Search results, the length of lists, and summaries of a type's records.

export const searchSorts = ["relevance", "updated_at", "created_at"] as const;
export const maxQueryLength = 255;

const html = noted("as HTML, with the matching words in `<em>`", string());
export const searchResult = object({
  id: integer({ min: 1 }),
  type: typeName("searchable"),
  title: string(),
  details: noted("an excerpt of a note, the description or the instructions of the record", optional(string())),
  highlights: object({ title: html, details: optional(html) }),
  url: noted("the URL of the record in this API", url),
  avatar_url: optional(string()),
});

export const searchOperations = operations({
  "GET /search": {
    id: "search",
    summary: "Search records",
    tag: "General",
    description:
      "Searches the records that the caller can read, and their notes. Ranks the latest 200 matches of each type and the latest 50 matches in its notes. Records can also be found by number. Types for which the token lacks the Read scope are omitted.",
    query: {
      q: noted(
        "Words to search for. All of them must match; `|` means OR. The last word can be a prefix. Accents are ignored.",
        string(maxQueryLength),
      ),
      types: noted("Only these types, comma-separated.", optional(list(typeName("searchable")))),
      sort: noted("Sort by best match or by newest.", defaultsTo("relevance", word(...searchSorts))),
    },
    isPaged: true,
    isThrottled: true,
    answer: list(searchResult),
    answers: "A page of search results.",
    example: [
      {
        id: 70451,
        type: "request",
        title: "Printer on the third floor is jammed",
        details: "The printer shows error 13.",
        highlights: {
          title: "<em>Printer</em> on the third floor is jammed",
          details: "The <em>printer</em> shows error 13.",
        },
        url: "https://steward.example/v1/requests/70451",
      },
    ],
  },
});

/** As many as a page has tabs. */
export const maxCountedLists = 20;

export const listCountOperations = operations({
  "GET /list_counts": {
    id: "countLists",
    summary: "Count the records linked to a record",
    tag: "General",
    description:
      "Returns the number of entries that each list has for the caller. Lists that the caller can't read are omitted. The required scope is that of the record type.",
    query: {
      type: noted("The type of the record.", string()),
      id: noted("The id or nodeID of the record.", string()),
      lists: noted(`The names of up to ${maxCountedLists} lists, comma-separated.`, string()),
    },
    answer: map(integer({ min: 0 })),
    answers: "The number of entries per list.",
    example: { requests: 6, problems: 1 },
  },
});

const query = noted(
  "a list query that returns exactly these records; null if no filter can select them",
  orNull(string()),
);
export const summaryGroup = openAnswer(
  "SummaryGroup",
  {
    count: noted("number of records in the group; for a share, only those it's measured over", integer({ min: 0 })),
    value: noted("the measured value; a share is between 0 and 1", orNull(float)),
    query,
    part: noted(
      "for a share: the records in the numerator",
      optional(object({ count: integer({ min: 0 }), query: orNull(string()) })),
    ),
  },
  noted(
    "The fields that the records are grouped by: a value or reference as in the record, `null`, or `{from, until}` for a period.",
    anything,
  ),
);
/** The answer of `GET /<collection>/summary`. */
export const summary = answer("Summary", {
  groups: list(summaryGroup, 500),
  total: summaryGroup,
  more: noted("more than 500 groups exist; only those with the most records are returned", boolean),
});
