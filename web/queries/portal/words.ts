import { queryOptions } from "@tanstack/react-query";

export const wordQueries = {
  /** The words of the portal, once per language; the result is the language that they are in. */
  portal: (language: string, load: (language: string) => Promise<void>) =>
    queryOptions({
      queryKey: ["words", language],
      queryFn: async () => {
        await load(language);
        return language;
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
