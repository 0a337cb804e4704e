import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { rankMatch } from "../../../base/match-text.ts";
import { t } from "../../../languages/index.ts";
import { Avatar } from "../../../parts/people/avatar.tsx";
import { CategoryIcon } from "../../../parts/work/type-icon.tsx";
import { getReferenceName } from "../../../queries/reference.ts";
import { requestQueries } from "../../../queries/work/requests.ts";
import { usePeople } from "../side/use-people.ts";
import { type Mention, mentionPerson, mentionRecord } from "./mentions.ts";

export type MentionOption = { key: string; type: string; id: number; label: string; mention: Mention };

/** People after @, records after #. */
export function useMentionOptions(trigger: { sign: "@" | "#"; query: string } | null): readonly MentionOption[] {
  const { api } = useCurrentAccount();
  const people = usePeople(trigger?.query ?? "", { enabled: trigger?.sign === "@", keeps: true });
  const [query] = useDebouncedValue(trigger?.sign === "#" ? trigger.query.trim() : "", 150);
  const records = useQuery({ ...requestQueries.mentionable(api, query), enabled: query !== "" });
  if (trigger === null) return [];
  if (trigger.sign === "@")
    // The results for fewer letters are shown until the next ones arrive: Enter must not choose the wrong person
    // meanwhile.
    return (people.data ?? [])
      .filter((person) => rankMatch(trigger.query, getReferenceName(person)) > 0)
      .slice(0, 6)
      .map((person) => ({
        key: `person ${person.id}`,
        type: "person",
        id: Number(person.id),
        label: getReferenceName(person),
        mention: mentionPerson(person.id, getReferenceName(person)),
      }));
  if (trigger.query.trim() !== query) return [];
  return (records.data ?? []).map(({ id, type, title }) => {
    const name = type.replaceAll("-", "_");
    return { key: `${name} ${id}`, type: name, id, label: `${id} ${title}`, mention: mentionRecord(name, id) };
  });
}

type Props = { id: string; options: readonly MentionOption[]; active: number; onChoose(option: MentionOption): void };

export const optionId = (id: string, at: number): string => `${id}-${at}`;

export function MentionMenu({ id, options, active, onChoose }: Props) {
  return (
    <div role="listbox" id={id} className="mention-menu" aria-label={t("request.mention")}>
      {options.map((option, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text area that owns the list
        <div
          key={option.key}
          role="option"
          id={optionId(id, at)}
          className="mention-option"
          aria-selected={at === active}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option.type === "person" ? (
            <Avatar person={{ id: option.id, name: option.label }} silent />
          ) : (
            <CategoryIcon type={option.type} />
          )}
          <span className="truncate">{option.label}</span>
        </div>
      ))}
    </div>
  );
}
