import { queryOptions } from "@tanstack/react-query";

export const wordQueries = {
  /** The portal's texts, loaded once per language; the result is their language. */
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
