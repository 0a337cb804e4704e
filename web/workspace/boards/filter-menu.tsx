import { Button, Popover, TextInput } from "@mantine/core";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { type CardFilter, countFilters, noFilter } from "./card-filter.ts";
import type { Card } from "./picture.ts";

type Props = {
  cards: readonly Card[];
  filter: CardFilter;
  opened: boolean;
  onOpened(opened: boolean): void;
  onChange(filter: CardFilter): void;
};

/** Filters by words, person, kind and tag, limited to the values on the board. */
export function FilterMenu({ cards, filter, opened, onOpened, onChange }: Props) {
  const count = countFilters(filter);
  const people = new Map(cards.flatMap(({ member }) => (member === null ? [] : [[String(member.id), member.name]])));
  const kinds = [...new Set(cards.map(({ type }) => type))];
  const tags = [...new Set(cards.flatMap((card) => card.tags))].sort();
  const inside = { comboboxProps: { withinPortal: false } };
  return (
    <Popover opened={opened} onChange={onOpened} position="bottom-end" width={280} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon of={IconFilter} />}
          rightSection={count === 0 ? <Kbd keys="f" /> : <span className="points numbers">{count}</span>}
          aria-keyshortcuts="f"
          onClick={() => onOpened(!opened)}
        >
          {t("boards.filter")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("boards.filter")}>
        <div className="filter-form">
          <TextInput
            label={t("boards.filter.words")}
            data-autofocus
            value={filter.q}
            onChange={(event) => onChange({ ...filter, q: event.currentTarget.value })}
          />
          <Select
            {...inside}
            label={t("boards.filter.member")}
            clearable
            data={[
              { value: "none", label: t("people.nobody") },
              ...[...people].map(([value, label]) => ({ value, label })),
            ]}
            value={filter.member === "" ? null : filter.member}
            onChange={(value) => onChange({ ...filter, member: value ?? "" })}
          />
          {kinds.length > 1 && (
            <Select
              {...inside}
              label={t("boards.filter.kind")}
              clearable
              data={kinds.map((name) => ({ value: name, label: typeLabel({ name }) }))}
              value={filter.kind === "" ? null : filter.kind}
              onChange={(value) => onChange({ ...filter, kind: value ?? "" })}
            />
          )}
          {tags.length > 0 && (
            <Select
              {...inside}
              label={t("boards.filter.tag")}
              clearable
              data={tags}
              value={filter.tag === "" ? null : filter.tag}
              onChange={(value) => onChange({ ...filter, tag: value ?? "" })}
            />
          )}
          {count > 0 && (
            <button type="button" className="text-button" onClick={() => onChange(noFilter)}>
              {t("boards.filter.clear")}
            </button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
