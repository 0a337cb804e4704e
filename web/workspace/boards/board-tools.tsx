import { Button, Menu } from "@mantine/core";
import IconLayoutRows from "@tabler/icons-react/dist/esm/icons/IconLayoutRows.mjs";
import type { ReactNode } from "react";
import { Icon } from "../../elements/icon.tsx";
import { CheckIcon } from "../../elements/icons.tsx";
import { t } from "../../languages/index.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { type CardFilter, type LaneKind, laneKinds } from "./card-filter.ts";
import { FilterMenu } from "./filter-menu.tsx";
import type { Board, NamedRecord } from "./picture.ts";

type Props = {
  board: Board;
  filter: CardFilter;
  lanes: LaneKind;
  isFiltering: boolean;
  isNarrow: boolean;
  onFiltering(opened: boolean): void;
  onFilter(filter: CardFilter): void;
  onLanes(lanes: LaneKind): void;
  children: ReactNode;
};

const shownPeople = 5;

/** The filter by people, the other filters, lanes, and the button for a new card. */
export function BoardTools(props: Props) {
  const { board, filter, lanes, isNarrow, children } = props;
  const cards = board.columns.flatMap(({ items }) => items);
  const counts = new Map<number, { person: NamedRecord; count: number }>();
  for (const { member } of cards)
    if (member !== null) counts.set(member.id, { person: member, count: (counts.get(member.id)?.count ?? 0) + 1 });
  const people = [...counts.values()].sort((one, other) => other.count - one.count).slice(0, shownPeople);
  return (
    <>
      {!isNarrow && people.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as a row in every browser
        <div role="group" className="people-filter" aria-label={t("boards.filter.member")}>
          {people.map(({ person }) => {
            const isOn = filter.member === String(person.id);
            return (
              <button
                key={person.id}
                type="button"
                aria-pressed={isOn}
                data-tip={person.name}
                onClick={() => props.onFilter({ ...filter, member: isOn ? "" : String(person.id) })}
              >
                <Avatar person={person} size={24} silent />
                <span className="spoken">{person.name}</span>
              </button>
            );
          })}
        </div>
      )}
      <FilterMenu
        cards={cards}
        filter={filter}
        opened={props.isFiltering}
        onOpened={props.onFiltering}
        onChange={props.onFilter}
      />
      {!isNarrow && (
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <Button variant="default" size="sm" leftSection={<Icon of={IconLayoutRows} />}>
              {t("boards.lanes", { kind: t(`boards.lanes.${lanes}`) })}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {laneKinds.map((kind) => (
              <Menu.Item
                key={kind}
                rightSection={kind === lanes ? <CheckIcon size={14} /> : null}
                onClick={() => props.onLanes(kind)}
              >
                {t(`boards.lanes.${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {children}
    </>
  );
}
