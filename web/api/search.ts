import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { searchResult } from "../../records/answers/search.ts";

/** A record that was found by words. */
export type SearchResult = AnswerOf<typeof searchResult>;
