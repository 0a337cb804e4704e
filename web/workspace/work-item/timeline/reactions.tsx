import { Menu } from "@mantine/core";
import IconConfetti from "@tabler/icons-react/dist/esm/icons/IconConfetti.mjs";
import IconHeart from "@tabler/icons-react/dist/esm/icons/IconHeart.mjs";
import IconMoodConfused from "@tabler/icons-react/dist/esm/icons/IconMoodConfused.mjs";
import IconMoodPlus from "@tabler/icons-react/dist/esm/icons/IconMoodPlus.mjs";
import IconMoodSmile from "@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs";
import IconThumbDown from "@tabler/icons-react/dist/esm/icons/IconThumbDown.mjs";
import IconThumbUp from "@tabler/icons-react/dist/esm/icons/IconThumbUp.mjs";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { Icon } from "../../../elements/icon.tsx";
import { tip } from "../../../elements/tip.tsx";
import { showError } from "../../../elements/toast.tsx";
import { currentLocale, t } from "../../../languages/index.ts";
import type { NoteRow } from "../../../queries/record-page.ts";
import { type NoteReaction, reactionQueries } from "../../../queries/work/reactions.ts";

/** The accessible name and an icon for each reaction: emoji look different on every machine, and some have none. */
// biome-ignore format: a table keeps its columns
const looks = {
  "👍": { word: "thumbsUp",   icon: IconThumbUp },
  "👎": { word: "thumbsDown", icon: IconThumbDown },
  "😀": { word: "smile",      icon: IconMoodSmile },
  "😕": { word: "confused",   icon: IconMoodConfused },
  "🎉": { word: "hooray",     icon: IconConfetti },
  "❤️": { word: "heart",      icon: IconHeart },
} as const;
type Reaction = keyof typeof looks;
const isReaction = (sign: string): sign is Reaction => sign in looks;
const reactions = Object.keys(looks).filter(isReaction);
const nameReaction = (reaction: Reaction): string => t(`request.reaction.${looks[reaction].word}`);

export type Reactions = {
  of(note: number): readonly NoteReaction[];
  toggle(note: number, reaction: string): void;
};

const mostNotes = 100;

/** The reactions to all notes of a page in one call, and the functions to add and remove one's own. */
export function useReactions(
  type: RecordType,
  id: string,
  notes: readonly NoteRow[],
  enabled: boolean,
): Reactions | null {
  const { api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const ids = notes.slice(-mostNotes).map((note) => note.id);
  const query = reactionQueries.toNotes(api, type.name, id, ids);
  const key = query.queryKey;
  const isEnabled = enabled && ids.length > 0;
  const { data, error } = useQuery({ ...query, enabled: isEnabled, placeholderData: keepPreviousData });
  /** Calls are sent one after another: a reaction can be removed once it has been saved. */
  const sending = useRef<Promise<void>>(Promise.resolve());
  /** by the temporary id used until then */
  const arrived = useRef(new Map<number, number>());
  if (error !== null) return null;
  const put = (change: (rows: readonly NoteReaction[]) => readonly NoteReaction[]) =>
    queries.setQueryData(key, (rows) => change(rows ?? []));
  const add = (note: number, reaction: string) => {
    const { id: person, name } = who.person;
    const shown = { id: -Date.now(), note: { id: note }, reaction, person: { id: person, name } };
    put((rows) => [...rows, shown]);
    return async () => {
      const { id: real } = await api.create("/note_reactions", { note_id: note, reaction });
      arrived.current.set(shown.id, real);
      put((rows) => rows.map((each) => (each.id === shown.id ? { ...each, id: real } : each)));
    };
  };
  const remove = ({ id: shown }: NoteReaction) => {
    put((rows) => rows.filter((each) => each.id !== shown));
    return async () => {
      const real = arrived.current.get(shown) ?? shown;
      if (real > 0) await api.remove(`/note_reactions/${real}`);
    };
  };
  const toggle = (note: number, reaction: string) => {
    const own = queries
      .getQueryData(key)
      ?.find((each) => each.note?.id === note && each.reaction === reaction && each.person?.id === who.person.id);
    const send = own === undefined ? add(note, reaction) : remove(own);
    sending.current = sending.current.then(send).catch((refused: unknown) => {
      void queries.invalidateQueries({ queryKey: key });
      showError(refused);
    });
  };
  return {
    of: (note) => data?.filter((each) => each.note?.id === note) ?? [],
    toggle,
  };
}

/** The reactions below a note, and a menu to add one. */
export function NoteReactions({ note, reactions: all }: { note: NoteRow; reactions: Reactions }) {
  const { who } = useCurrentAccount();
  const noteReactions = all.of(note.id);
  const shown = reactions.filter((reaction) => noteReactions.some((each) => each.reaction === reaction));
  return (
    <div className="reactions" data-empty={shown.length === 0 || undefined}>
      {shown.map((reaction) => {
        const people = noteReactions.filter((each) => each.reaction === reaction);
        const names = new Intl.ListFormat(currentLocale()).format(people.map(({ person }) => person?.name ?? ""));
        return (
          <button
            key={reaction}
            type="button"
            className="reaction"
            aria-pressed={people.some(({ person }) => person?.id === who.person.id)}
            aria-label={t("request.reaction.count", { name: nameReaction(reaction), count: people.length })}
            {...tip(names)}
            onClick={() => all.toggle(note.id, reaction)}
          >
            <Icon of={looks[reaction].icon} size={14} />
            <span className="numbers">{people.length}</span>
          </button>
        );
      })}
      <Menu position="bottom-start">
        <Menu.Target>
          <button
            type="button"
            className="reaction reaction-add"
            aria-label={t("request.reaction.add")}
            {...tip(t("request.reaction.add"))}
          >
            <Icon of={IconMoodPlus} />
          </button>
        </Menu.Target>
        <Menu.Dropdown className="reaction-menu">
          {reactions.map((reaction) => (
            <Menu.Item
              key={reaction}
              aria-label={nameReaction(reaction)}
              title={nameReaction(reaction)}
              onClick={() => all.toggle(note.id, reaction)}
            >
              <Icon of={looks[reaction].icon} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
