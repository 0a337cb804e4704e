import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { searchResult } from "../../records/answers/search.ts";

/** A record found by a text search. */
export type SearchResult = AnswerOf<typeof searchResult>;
