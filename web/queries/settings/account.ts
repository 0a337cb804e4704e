import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { deadJob } from "../../../records/answers/administration.ts";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { Api } from "../../api/index.ts";
import { cursorPages, toCursor } from "./pages.ts";

export type DeadJob = AnswerOf<typeof deadJob>;

export const accountSettingsQueries = {
  signInPolicy: (api: Api) =>
    queryOptions({ queryKey: [api.account, "sign-in policy"], queryFn: () => api.call("GET /sign_in_policy", {}) }),
  deadJobs: (api: Api) =>
    infiniteQueryOptions({
      queryKey: [api.account, "dead jobs"],
      queryFn: ({ pageParam }) =>
        api.list<DeadJob>("/dead_jobs", { per_page: "50", search_after: toCursor(pageParam) }),
      ...cursorPages,
    }),
};
