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

const html = noted("as HTML, the words that were found inside `<em>`", string());
export const searchResult = object({
  id: integer({ min: 1 }),
  type: typeName("searchable"),
  title: string(),
  details: noted("a note of the record, its description or instructions; shortened", optional(string())),
  highlights: object({ title: html, details: optional(html) }),
  url: noted("of the record in this API", url),
  avatar_url: optional(string()),
});

export const searchOperations = operations({
  "GET /search": {
    id: "search",
    summary: "Search records",
    tag: "General",
    description:
      "What the caller may see, by words: the newest 200 matches of each type and the newest 50 of its notes, ranked. A record is found by its notes, too, and by its number. Types that the token has no Read scope for are left out.",
    query: {
      q: noted(
        "Words that all must be there; `|` means or. The last one may be unfinished. Accents do not count.",
        string(maxQueryLength),
      ),
      types: noted("Only these types, comma separated.", optional(list(typeName("searchable")))),
      sort: noted("The best first, or the newest.", defaultsTo("relevance", word(...searchSorts))),
    },
    isPaged: true,
    isThrottled: true,
    answer: list(searchResult),
    answers: "A page of what was found.",
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
      "How many entries the lists have that the caller would get. Lists that the caller may not read are left out. The scope is that of the record type.",
    query: {
      type: noted("Of the record.", string()),
      id: noted("Its id or nodeID.", string()),
      lists: noted(`The names of up to ${maxCountedLists} lists, with commas.`, string()),
    },
    answer: map(integer({ min: 0 })),
    answers: "The number of entries by list.",
    example: { requests: 6, problems: 1 },
  },
});

const query = noted(
  "the query of the list with exactly these records; null where no filter can name them",
  orNull(string()),
);
export const summaryGroup = openAnswer(
  "SummaryGroup",
  {
    count: noted("records in the group; of a share, those that count", integer({ min: 0 })),
    value: noted("the measure; a share is between 0 and 1", orNull(float)),
    query,
    part: noted(
      "of a share: the records that make it up",
      optional(object({ count: integer({ min: 0 }), query: orNull(string()) })),
    ),
  },
  noted(
    "The fields that the records are grouped by: a value or a reference as records show it, `null`, or `{from, until}` for a period.",
    anything,
  ),
);
/** The answer of `GET /<collection>/summary`. */
export const summary = answer("Summary", {
  groups: list(summaryGroup, 500),
  total: summaryGroup,
  more: noted("there are more than 500 groups; those with most records are shown", boolean),
});
