import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ciGraph, ciOutlook } from "../../../records/answers/assets.ts";

// The server's responses about related items.

export type CiGraph = AnswerOf<typeof ciGraph>;
export type GraphItem = CiGraph["items"][number];
export type GraphRelation = CiGraph["relations"][number];
export type GraphGroup = CiGraph["groups"][number];
export type CiOutlook = AnswerOf<typeof ciOutlook>;
