import { Modal, Switch, TextInput } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { Fragment, useState } from "react";
import type { Action, ActionGroup } from "../../actions/action.ts";
import { useAllActions } from "../../actions/registry.ts";
import { rankMatch } from "../../base/match-text.ts";
import { setPreference, usePreference } from "../../base/preferences.ts";
import { Icon } from "../../elements/icon.tsx";
import { keyNames } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { focusMarked } from "../../parts/dialogs/dialog-focus.ts";
import { useReturnFocus } from "../../parts/dialogs/return-focus.ts";
import { EmptyState } from "../../parts/empty-state.tsx";

const groups: readonly ActionGroup[] = ["general", "go", "list", "selection", "record", "write", "settings"];

/** `?`: every action that has a key here, from the registry that also handles the keys. */
export function ShortcutSheet({ onClose }: { onClose(): void }) {
  useReturnFocus();
  const [text, setText] = useState("");
  const singleKeys = usePreference("singleKeys");
  const shown = useAllActions().filter(
    ({ name, words, keys }) => keys !== undefined && rankMatch(text, name, words) > 0,
  );
  return (
    <Modal.Root opened onClose={onClose} size={1000}>
      <Modal.Overlay />
      <Modal.Content ref={focusMarked} aria-label={t("actions.shortcuts")}>
        <div className="sheet-head">
          <h2 className="sheet-title">{t("actions.shortcuts")}</h2>
          <TextInput
            data-autofocus
            type="search"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            aria-label={t("shortcuts.find")}
            placeholder={t("shortcuts.find")}
            leftSection={<Icon of={IconSearch} />}
          />
          <Switch
            className="sheet-switch"
            labelPosition="left"
            label={t("shortcuts.single")}
            checked={singleKeys}
            onChange={(event) => setPreference("singleKeys", event.currentTarget.checked)}
          />
          <Modal.CloseButton aria-label={t("app.close")} m={0} />
        </div>
        <div className="sheet-body">
          {shown.length === 0 && <EmptyState title={t("form.nothingFound")} />}
          {groups.map((group) => (
            <Group
              key={group}
              title={t(`actions.group.${group}`)}
              actions={shown.filter((each) => each.group === group)}
            />
          ))}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function Group({ title, actions }: { title: string; actions: readonly Action[] }) {
  if (actions.length === 0) return null;
  return (
    <section className="sheet-group" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {actions.map((action) => (
          <div key={action.id}>
            <dt>{action.name}</dt>
            <dd>
              <Keys keys={action.keys ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** "G then I": read out like the drawn keys. */
function Keys({ keys }: { keys: string }) {
  return keyNames(keys).map((step, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same key may occur twice
    <Fragment key={at}>
      {at > 0 && <span className="quiet"> {t("shortcuts.then")} </span>}
      {step.map((key) => (
        <kbd className="kbd" key={key}>
          {key}
        </kbd>
      ))}
    </Fragment>
  ));
}
