import { ActionIcon, Button, TextInput } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import type { KeptOwner } from "../../../api/kept.ts";
import { useFormDraft } from "../../../drafts/use-form-draft.ts";
import { errorText } from "../../../elements/error-text.ts";
import { Icon } from "../../../elements/icon.tsx";
import { showError } from "../../../elements/toast.tsx";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { useOwnTeams } from "../../../queries/own-teams.ts";
import { fillPlaceholders, placeholders, type Snippet, useSnippets } from "./snippets.ts";

type Props = { row: Row; requester: string | null; text: string; onInsert(text: string): void };

export default function SnippetList({ row, requester, text, onInsert }: Props) {
  const { who } = useCurrentAccount();
  const { snippets, isPending, save, remove } = useSnippets();
  const [find, setFind] = useState("");
  const [active, setActive] = useState(0);
  const [saving, setSaving] = useState(false);
  const wanted = find.trim().toLowerCase();
  const found = snippets.filter(({ value }) => `${value.name} ${value.text}`.toLowerCase().includes(wanted));
  const current = Math.min(active, found.length - 1);
  const chosen = found[current];
  const insert = (snippet: Snippet | undefined) => {
    if (snippet !== undefined) onInsert(fillPlaceholders(snippet.value.text, row, requester, who.person.name));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive(Math.min(Math.max(current + step, 0), found.length - 1));
    else if (event.key === "Enter") insert(found[current]);
    else return;
    event.preventDefault();
  };
  if (saving) return <SaveForm text={text} onSave={save} onClose={() => setSaving(false)} />;
  return (
    <>
      <TextInput
        size="xs"
        data-autofocus
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="snippet-options"
        aria-activedescendant={found[current] === undefined ? undefined : `snippet-${found[current].key}`}
        aria-label={t("snippet.find")}
        placeholder={t("snippet.find")}
        value={find}
        onChange={(event) => {
          setFind(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="snippet-options" role="listbox" aria-label={t("snippet.title")} className="snippet-options">
        {found.map((snippet, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys go to the input
          <div
            key={`${snippet.owner} ${snippet.key}`}
            id={`snippet-${snippet.key}`}
            role="option"
            aria-selected={at === current}
            className="snippet-option"
            onPointerMove={() => setActive(at)}
            onClick={() => insert(snippet)}
          >
            <span className="snippet-name">
              {snippet.value.name}
              {snippet.owner !== "me" && (
                <span className="quiet"> · {snippet.team?.name ?? t("snippet.everybody")}</span>
              )}
            </span>
            <span className="quiet truncate">{snippet.value.text}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="quiet small">
          {isPending ? t("app.loading") : t(wanted === "" ? "snippet.none" : "snippet.noMatch")}
        </p>
      )}
      <div className="snippet-foot">
        <button type="button" className="text-button" disabled={text.trim() === ""} onClick={() => setSaving(true)}>
          <Icon of={IconPlus} size={14} /> {t("snippet.save")}
        </button>
        {chosen?.may_change && (
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={t("snippet.remove", { name: chosen.value.name })}
            onClick={() => void remove(chosen).catch(showError)}
          >
            <Icon of={IconTrash} size={14} />
          </ActionIcon>
        )}
      </div>
    </>
  );
}

type SaveProps = {
  text: string;
  onSave(value: { name: string; text: string }, owner: KeptOwner): Promise<void>;
  onClose(): void;
};

function SaveForm({ text, onSave, onClose }: SaveProps) {
  const teams = useOwnTeams(true);
  const { values, change, draft } = useFormDraft<{ name: string; owner: KeptOwner }>("new/snippet", {
    ...{ name: "", owner: "me" },
  });
  const { name, owner } = values;
  const finish = () => {
    draft.remove();
    onClose();
  };
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (name.trim() === "") return;
    try {
      await onSave({ name: name.trim(), text }, owner);
      finish();
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="complete-form">
      <TextInput
        size="xs"
        data-autofocus
        autoFocus
        required
        maxLength={80}
        label={t("snippet.name")}
        value={name}
        error={failure}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Select
        size="xs"
        label={t("view.who")}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={[
          { value: "me", label: t("view.forMe") },
          ...teams.map((team) => ({ value: `team:${team.id}`, label: t("view.forTeam", { team: team.name }) })),
          { value: "account", label: t("view.forAccount") },
        ]}
        value={owner}
        onChange={(wanted) => change({ owner: (wanted ?? "me") as KeptOwner })}
      />
      <p className="quiet small">
        {t("snippet.placeholders", { list: placeholders.map((each) => `{${each}}`).join(" ") })}
      </p>
      <div className="dialog-actions">
        <Button size="xs" variant="default" onClick={finish}>
          {t("form.cancel")}
        </Button>
        <Button size="xs" type="submit">
          {t("form.save")}
        </Button>
      </div>
    </form>
  );
}
