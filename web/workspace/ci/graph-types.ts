import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ciGraph, ciOutlook } from "../../../records/answers/assets.ts";

// What the server answers about the items around one.

export type CiGraph = AnswerOf<typeof ciGraph>;
export type GraphItem = CiGraph["items"][number];
export type GraphRelation = CiGraph["relations"][number];
export type GraphGroup = CiGraph["groups"][number];
export type CiOutlook = AnswerOf<typeof ciOutlook>;
