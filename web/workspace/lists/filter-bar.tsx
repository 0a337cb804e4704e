import { Button, Menu, TextInput } from "@mantine/core";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconCircleDashed from "@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { useState } from "react";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { formatDate } from "../../base/formats.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { CloseIcon } from "../../elements/icons.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { getFieldKind } from "../../fields/index.ts";
import { isMessage, t } from "../../languages/index.ts";
import { FilterValue } from "../../parts/lists/filter-value.tsx";
import { FilterEditor, WordsEditor } from "./filter-editor.tsx";
import { parseFilter } from "./filter-syntax.ts";
import { columnLabel } from "./grid/columns.ts";
import { isSearchable } from "./list-address.ts";

// The filters of a list as chips: field, operator, value. Filters are texts in the API's own syntax.

type Props = {
  type: RecordType;
  filters: Readonly<Record<string, string>>;
  q: string | undefined;
  onChange(filters: Readonly<Record<string, string>>, q: string | undefined): void;
  /** the menu of fields is open; the key F opens it */
  adding: boolean;
  onAdding(adding: boolean): void;
};

/** The name under which the search words of a list are edited. */
const words = "(words)";

export const listFilters = (type: RecordType): string[] =>
  type.filterable.filter((name) => {
    const field = type.fields[name];
    return field !== undefined && getFieldKind(field).Filter !== undefined && name !== "nodeID";
  });

const pickIcon = (field: Field | undefined): IconComponent => {
  if (field === undefined) return IconFilter;
  if (field.kind === "reference" && field.to === "person") return IconUser;
  if (field.kind === "reference" && field.to === "team") return IconUsers;
  if (["datetime", "date", "target", "localDatetime"].includes(field.kind)) return IconCalendar;
  return field.kind === "enum" ? IconCircleDashed : IconFilter;
};

export function FilterBar({ type, filters, q, onChange, adding, onAdding }: Props) {
  const [editing, setEditing] = useState<string | null>(null);
  const [find, setFind] = useState("");
  const names = listFilters(type);
  const set = (name: string, text: string | null) => {
    const { [name]: _, ...others } = filters;
    onChange(text === null ? others : { ...others, [name]: text }, q);
    setEditing(null);
  };
  const active = names.filter((name) => filters[name] !== undefined);
  const shown = editing === null || editing === words || active.includes(editing) ? active : [...active, editing];
  const offered = names.filter(
    (name) => filters[name] === undefined && columnLabel(name).toLowerCase().includes(find.toLowerCase()),
  );
  const choose = (name: string) => {
    onAdding(false);
    setFind("");
    setEditing(name);
  };
  return (
    <div className="list-filters">
      {(q !== undefined || editing === words) && (
        <span className="list-chip">
          <WordsEditor
            value={q ?? ""}
            opened={editing === words}
            onClose={() => setEditing(null)}
            onApply={(wanted) => {
              onChange(filters, wanted === "" ? undefined : wanted);
              setEditing(null);
            }}
          >
            <button type="button" className="list-chip-main" onClick={() => setEditing(words)}>
              <Icon of={IconSearch} size={14} />
              <span className="list-chip-operator">{t("filter.contains")}</span>
              <strong>{q === undefined ? "…" : t("list.quoted", { text: q })}</strong>
            </button>
          </WordsEditor>
          {q !== undefined && <RemoveButton name={t("filter.words")} onClick={() => onChange(filters, undefined)} />}
        </span>
      )}
      {type.routes.specialFilters.map((name) => (
        <SpecialChip key={name} name={name} text={filters[name]} onRemove={() => set(name, null)} />
      ))}
      {shown.map((name) => (
        <FilterChip
          key={name}
          name={name}
          field={type.fields[name]}
          text={filters[name]}
          isOpen={editing === name}
          onOpen={(opens) => setEditing(opens ? name : null)}
          onSet={(text) => set(name, text)}
        />
      ))}
      <Menu position="bottom-start" shadow="md" width={260} opened={adding} onChange={onAdding} returnFocus>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            className="list-add"
            leftSection={<Icon of={IconPlus} size={14} />}
            rightSection={<Kbd keys="f" />}
            aria-keyshortcuts="f"
          >
            {t("filter.add")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="list-menu">
          <TextInput
            size="xs"
            m={4}
            value={find}
            aria-label={t("filter.findField")}
            placeholder={t("filter.findField")}
            data-autofocus
            onChange={(event) => setFind(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && offered[0] !== undefined) {
                event.preventDefault();
                choose(offered[0]);
              }
            }}
          />
          <div className="list-menu-scroll">
            {isSearchable(type) && q === undefined && find === "" && (
              <Menu.Item leftSection={<Icon of={IconSearch} size={14} />} onClick={() => choose(words)}>
                {t("filter.contains")}
              </Menu.Item>
            )}
            {offered.map((name) => (
              <Menu.Item
                key={name}
                leftSection={<Icon of={pickIcon(type.fields[name])} size={14} />}
                onClick={() => choose(name)}
              >
                {columnLabel(name)}
              </Menu.Item>
            ))}
          </div>
        </Menu.Dropdown>
      </Menu>
      {active.length > 1 && (
        <Button variant="subtle" color="gray" size="xs" onClick={() => onChange({}, undefined)}>
          {t("filter.clear")}
        </Button>
      )}
    </div>
  );
}

function TermText({ field, text }: { field: Field; text: string }) {
  const { operator, value } = parseFilter(field, text);
  const isMoment = ["after", "before", "between"].includes(operator);
  return (
    <>
      <span className="list-chip-operator">{t(`filter.op.${operator}`)}</span>
      {value !== "" && (
        <strong className="truncate">
          {isMoment ? value.split("..").map(formatDate).join(" – ") : <FilterValue field={field} value={value} />}
        </strong>
      )}
    </>
  );
}

/** A filter that isn't a field: it comes from a link, and can be removed. */
function SpecialChip({ name, text, onRemove }: { name: string; text: string | undefined; onRemove(): void }) {
  const own = `filter.${name}`;
  if (text === undefined || !isMessage(own)) return null;
  const values = text.split(",").map((value) => {
    const key = `filter.${name}.${value}`;
    return isMessage(key) ? t(key) : value;
  });
  return (
    <span className="list-chip">
      <span className="list-chip-main">
        <Icon of={IconFilter} size={14} />
        <strong>{t(own)}</strong>
        <span className="list-chip-operator">{t("filter.op.is")}</span>
        <strong className="truncate">{values.join(", ")}</strong>
      </span>
      <RemoveButton name={t(own)} onClick={onRemove} />
    </span>
  );
}

function RemoveButton({ name, onClick }: { name: string; onClick(): void }) {
  return (
    <button
      type="button"
      className="list-chip-remove"
      aria-label={t("filter.remove", { field: name })}
      onClick={onClick}
    >
      <CloseIcon size={12} />
    </button>
  );
}

type ChipProps = {
  name: string;
  field: Field | undefined;
  text: string | undefined;
  isOpen: boolean;
  onOpen(opens: boolean): void;
  onSet(text: string | null): void;
};

function FilterChip({ name, field, text, isOpen, onOpen, onSet }: ChipProps) {
  if (field === undefined) return null;
  return (
    <span className="list-chip">
      <FilterEditor name={name} field={field} text={text} opened={isOpen} onClose={() => onOpen(false)} onApply={onSet}>
        <button type="button" className="list-chip-main" onClick={() => onOpen(!isOpen)}>
          <Icon of={pickIcon(field)} size={14} />
          <strong>{columnLabel(name)}</strong>
          {text !== undefined && <TermText field={field} text={text} />}
        </button>
      </FilterEditor>
      {text !== undefined && <RemoveButton name={columnLabel(name)} onClick={() => onSet(null)} />}
    </span>
  );
}
