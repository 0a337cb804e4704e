import type { apiCall, apiCaller, apiCallStatistics } from "../../records/answers/administration.ts";
import type { AnswerOf } from "../../records/answers/answer-of.ts";

/** A call in the request log. */
export type ApiCall = AnswerOf<typeof apiCall>;
export type ApiCaller = AnswerOf<typeof apiCaller>;
export type ApiCallStatistics = AnswerOf<typeof apiCallStatistics>;
