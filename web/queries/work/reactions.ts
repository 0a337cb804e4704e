import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { changesOfRecord } from "../change-rules.ts";
import { recordQueries } from "../records.ts";
import type { Reference } from "../reference.ts";

export type NoteReaction = {
  readonly id: number;
  readonly note: { readonly id: number } | null;
  readonly reaction: string;
  readonly person: Reference | null;
};

export const reactionQueries = {
  /** The reactions to all notes of a page. */
  toNotes: (api: Api, type: string, id: number | string, notes: readonly number[]) =>
    queryOptions({
      queryKey: [...recordQueries.all(api, type, id), "reactions", notes.join()],
      queryFn: async (): Promise<readonly NoteReaction[]> => {
        const fields = ["note", "reaction", "person"] as const;
        return (await api.list("note_reaction", { fields, note: notes.join(), per_page: "100" })).rows;
      },
      retry: false,
      meta: { changedBy: changesOfRecord(type, id) },
    }),
};
