import { ActionIcon, Button, TextInput } from "@mantine/core";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { type KeyboardEvent, useRef, useState } from "react";
import { useValueDraft } from "../../../drafts/use-form-draft.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { MenuButton } from "../../../parts/menu/menu-button.tsx";
import type { EditablePhase, PhaseCommands } from "./use-phases.ts";

const maxLength = 50;

type NameProps = {
  label: string;
  draftKey: string;
  name: string;
  /** resolves to false if the name was rejected */
  onSave(name: string): Promise<boolean>;
  onClose(): void;
};

/** Enter and blur save the name, Escape discards it. */
function NameInput({ label, draftKey, name, onSave, onClose }: NameProps) {
  const { value: text, setValue: setText, removeAfter, draft } = useValueDraft(draftKey, name);
  // After a key has saved or discarded the name, the blur of the disappearing input must not do so again.
  const answered = useRef(false);
  const answer = (newName: string | null) => {
    if (answered.current) return;
    answered.current = true;
    onClose();
    if (newName === null || newName === "" || newName === name) draft.remove();
    else void removeAfter(onSave(newName));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    answer(event.key === "Enter" ? text.trim() : null);
  };
  return (
    <TextInput
      size="xs"
      className="phase-input"
      aria-label={label}
      maxLength={maxLength}
      value={text}
      autoFocus
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => answer(text.trim())}
    />
  );
}

type Props = { phase: EditablePhase; place: number; count: number; commands: PhaseCommands | null };

/** The name of a phase, which a click turns into an input, and the menu of its actions. */
export function PhaseName({ phase, place, count, commands }: Props) {
  const [isWriting, setWriting] = useState(false);
  if (commands === null) return <span className="truncate">{phase.name}</span>;
  if (isWriting)
    return (
      <NameInput
        label={t("phases.name")}
        draftKey={commands.draftKey(phase)}
        name={phase.name}
        onSave={(name) => commands.rename(phase, name)}
        onClose={() => setWriting(false)}
      />
    );
  return (
    <span className="phase-name">
      <button
        type="button"
        className="phase-rename truncate"
        aria-label={t("phases.renameOf", { name: phase.name })}
        onClick={() => setWriting(true)}
        onKeyDown={(event) => {
          const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
          if (event.shiftKey && step !== undefined) {
            event.preventDefault();
            void commands.move(phase, step as -1 | 1);
          } else if (event.key === "Delete" && phase.mayRemove) {
            event.preventDefault();
            void commands.remove(phase);
          }
        }}
      >
        {phase.name}
      </button>
      <MenuButton
        position="bottom-start"
        entries={[
          { is: "item", key: "rename", label: t("phases.rename"), icon: IconPencil, run: () => setWriting(true) },
          {
            is: "item",
            key: "before",
            label: t("phases.before"),
            icon: IconArrowUp,
            disabled: place === 1,
            run: () => commands.move(phase, -1),
          },
          {
            is: "item",
            key: "after",
            label: t("phases.after"),
            icon: IconArrowDown,
            disabled: place === count,
            run: () => commands.move(phase, 1),
          },
          { is: "divider" },
          {
            is: "item",
            key: "remove",
            label: t("phases.remove"),
            icon: IconTrash,
            disabled: !phase.mayRemove,
            ...(phase.mayRemove ? {} : { second: t("phases.stays") }),
            run: () => commands.remove(phase),
          },
        ]}
      >
        {(opening) => (
          <ActionIcon
            variant="subtle"
            c="var(--text-2)"
            size={24}
            aria-label={t("phases.menuOf", { name: phase.name })}
            {...opening}
          >
            <Icon of={IconDots} size={14} />
          </ActionIcon>
        )}
      </MenuButton>
    </span>
  );
}

/** A button that becomes the input of a new name. */
export function AddPhase({ commands }: { commands: PhaseCommands }) {
  const [isWriting, setWriting] = useState(false);
  if (!isWriting)
    return (
      <Button variant="default" size="xs" leftSection={<Icon of={IconPlus} />} onClick={() => setWriting(true)}>
        {t("phases.add")}
      </Button>
    );
  return (
    <NameInput
      label={t("phases.name")}
      draftKey={commands.draftKey(null)}
      name=""
      onSave={commands.add}
      onClose={() => setWriting(false)}
    />
  );
}
