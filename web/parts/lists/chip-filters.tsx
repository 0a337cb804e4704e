import { Button, Menu, Popover, TextInput } from "@mantine/core";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { type ReactNode, useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { CloseIcon } from "../../elements/icons.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import "../../styles/areas/chip-filters.css";

// The filters of a list that doesn't contain records, as chips: a name, "is", the chosen value. The key F adds one.

export type ChipFilter = {
  key: string;
  label: string;
  icon?: IconComponent;
  /** the chosen value in words; null: none */
  chosen: ReactNode | null;
  /** the text while nothing is chosen; without it, the chip is shown only with a choice */
  otherwise?: string;
  /** whether the filter is available now; absent means yes */
  when?: boolean;
  /** how it is chosen: menu items, or a form in a panel */
  choices?: readonly { value: string; label: string }[];
  form?(apply: (value: string) => void): ReactNode;
};

type Props = {
  filters: readonly ChipFilter[];
  onChange(key: string, value: string): void;
  /** the id of the action behind the key F, unique on the page */
  id: string;
};

export function ChipFilters({ filters, onChange, id }: Props) {
  const [editing, setEditing] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const isShown = ({ key, chosen, otherwise }: ChipFilter) =>
    chosen !== null || otherwise !== undefined || key === editing;
  const offered = filters.filter((filter) => !isShown(filter) && filter.when !== false);
  useActions([
    {
      ...{ id, group: "list", name: t("filter.add"), keys: "f", icon: IconFilter, when: offered.length > 0 },
      run: () => setAdding(true),
    },
  ]);
  return (
    <>
      {filters.filter(isShown).map((filter) => (
        <span key={filter.key} className="list-chip">
          <Editor
            filter={filter}
            opened={editing === filter.key}
            onOpened={(opened) => setEditing(opened ? filter.key : null)}
            onApply={(value) => {
              setEditing(null);
              onChange(filter.key, value);
            }}
          />
          {filter.chosen !== null && (
            <button
              type="button"
              className="list-chip-remove"
              aria-label={t("filter.remove", { field: filter.label })}
              onClick={() => onChange(filter.key, "")}
            >
              <CloseIcon size={12} />
            </button>
          )}
        </span>
      ))}
      {offered.length > 0 && (
        <Menu position="bottom-start" shadow="md" opened={adding} onChange={setAdding}>
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
          <Menu.Dropdown>
            {offered.map(({ key, label, icon = IconFilter }) => (
              <Menu.Item key={key} leftSection={<Icon of={icon} size={14} />} onClick={() => setEditing(key)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

type EditorProps = {
  filter: ChipFilter;
  opened: boolean;
  onOpened(opened: boolean): void;
  onApply(value: string): void;
};

function Editor({ filter, opened, onOpened, onApply }: EditorProps) {
  const { label, icon, chosen, otherwise, choices, form } = filter;
  const button = (
    // A menu opens on click without a handler here.
    <button
      type="button"
      className="list-chip-main"
      {...(choices === undefined ? { onClick: () => onOpened(!opened) } : {})}
    >
      {icon !== undefined && <Icon of={icon} size={14} />}
      <strong>{label}</strong>
      <span className="list-chip-operator">{t("filter.op.is")}</span>
      <strong className="truncate">{chosen ?? otherwise ?? "…"}</strong>
    </button>
  );
  if (choices !== undefined)
    return (
      <Menu position="bottom-start" shadow="md" opened={opened} onChange={onOpened}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown className="chip-choices">
          {choices.map((choice) => (
            <Menu.Item key={choice.value} onClick={() => onApply(choice.value)}>
              {choice.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  return (
    <Popover position="bottom-start" shadow="md" width={300} trapFocus opened={opened} onChange={onOpened}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={t("filter.by", { field: label })}>{form?.(onApply)}</Popover.Dropdown>
    </Popover>
  );
}

type TextFormProps = { label: string; value: string; placeholder?: string; type?: "date"; onApply(text: string): void };

/** A filter with a text input. */
export function TextFilterForm({ label, value, placeholder, type, onApply }: TextFormProps) {
  const [text, setText] = useState(value);
  return (
    <form
      className="chip-form"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text.trim());
      }}
    >
      <TextInput
        size="xs"
        data-autofocus
        aria-label={label}
        placeholder={placeholder}
        type={type ?? "text"}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" size="xs">
        {t("filter.apply")}
      </Button>
    </form>
  );
}
