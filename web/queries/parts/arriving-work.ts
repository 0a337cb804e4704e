import { queryOptions } from "@tanstack/react-query";
import { sessionApi } from "../../api/index.ts";

const pollMilliseconds = 1000;

export const arrivingWorkQueries = {
  /** The loaded share of a demo's work, in percent; null: all of it. */
  percent: (initial: number | null) =>
    queryOptions({
      queryKey: ["arriving work"],
      queryFn: async () => (await sessionApi.whoAmI()).arriving_work ?? null,
      initialData: initial,
      refetchInterval: ({ state }) => (state.data == null ? false : pollMilliseconds),
    }),
};
