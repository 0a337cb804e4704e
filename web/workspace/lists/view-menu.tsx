import { Menu } from "@mantine/core";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconStar from "@tabler/icons-react/dist/esm/icons/IconStar.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useActions } from "../../actions/registry.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { CheckIcon, DownIcon } from "../../elements/icons.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { viewLabel } from "../../languages/page-labels.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import type { Widths } from "./grid/widths.ts";
import type { ListAddress } from "./list-address.ts";
import { pickTone, type SavedView, useViews, type View } from "./views.ts";

const SaveViewDialog = lazyDialog(async () => (await import("./save-view-dialog.tsx")).SaveViewDialog);

type Props = {
  type: RecordType;
  address: ListAddress;
  /** the current query, in the format of a view */
  query: string;
  widths: Widths;
  onState(state: string | undefined): void;
  onOpen(view: View): void;
  onSaved(view: View): void;
  onRemoved(): void;
};

/** Predefined filters of the API, then views of the reader, of teams and of the account. */
export function ViewMenu({ type, address, query, widths, onState, onOpen, onSaved, onRemoved }: Props) {
  const { views, save, remove } = useViews(type);
  const [saving, setSaving] = useState(false);
  const current = views.find(({ key }) => key === address.view);
  const isEdited = current !== undefined && current.value.query !== query;
  const name = current?.value.name ?? (address.state === undefined ? t("list.all") : viewLabel(address.state));
  const own = views.filter(({ owner }) => owner === "me");
  const shared = views.filter(({ owner }) => owner !== "me");
  // All entries of the menu, in order.
  const states = Object.keys(type.views);
  const choices = [undefined, ...states, ...own, ...shared];
  const turn = (by: number) => {
    const next = choices[(choices.indexOf(current ?? address.state) + by + choices.length) % choices.length];
    if (typeof next === "object") onOpen(next);
    else onState(next);
  };
  useActions([
    { id: "list.nextView", name: t("list.keyNextView"), group: "list", keys: "]", run: () => turn(1) },
    { id: "list.previousView", name: t("list.keyPreviousView"), group: "list", keys: "[", run: () => turn(-1) },
  ]);
  const update = async ({ value, owner, key }: View, part: Partial<SavedView>) => {
    try {
      await save({ ...value, ...part }, owner, key);
      showMessage(t("view.saved", { name: value.name }));
    } catch (error) {
      showError(error);
    }
  };
  const item = (view: View) => (
    <Menu.Item
      key={`${view.owner} ${view.key}`}
      leftSection={<span className="list-dot" data-tone={pickTone(view.key)} />}
      rightSection={view.key === address.view ? <CheckIcon size={14} /> : null}
      onClick={() => onOpen(view)}
    >
      {view.value.name}
      {view.team !== undefined && <span className="list-menu-note">{view.team.name}</span>}
      {view.value.isDefault === true && <span className="list-menu-note">{t("view.default")}</span>}
    </Menu.Item>
  );
  return (
    <>
      <span aria-hidden="true" className="trail-mark">
        ›
      </span>
      <Menu position="bottom-start" shadow="md" width={280}>
        <Menu.Target>
          <button type="button" className="list-view" aria-label={t("view.choose", { name })}>
            <span className="list-dot" data-tone={current === undefined ? "grey" : pickTone(current.key)} />
            <span className="truncate">{name}</span>
            <DownIcon size={14} />
          </button>
        </Menu.Target>
        <Menu.Dropdown className="list-menu">
          <div className="list-menu-scroll">
            {[undefined, ...states].map((state) => (
              <Menu.Item
                key={state ?? ""}
                rightSection={current === undefined && address.state === state ? <CheckIcon size={14} /> : null}
                onClick={() => onState(state)}
              >
                {state === undefined ? t("list.all") : viewLabel(state)}
              </Menu.Item>
            ))}
            {own.length > 0 && <Menu.Label>{t("view.mine")}</Menu.Label>}
            {own.map(item)}
            {shared.length > 0 && <Menu.Label>{t("view.shared")}</Menu.Label>}
            {shared.map(item)}
          </div>
          <Menu.Divider />
          {isEdited && current.may_change && (
            <Menu.Item
              leftSection={<Icon of={IconDeviceFloppy} />}
              onClick={() => void update(current, { query, widths })}
            >
              {t("view.update", { name: current.value.name })}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon of={IconPlus} />} onClick={() => setSaving(true)}>
            {t("view.saveAs")}
          </Menu.Item>
          {current?.may_change && current.team !== undefined && (
            <Menu.Item
              leftSection={<Icon of={IconStar} />}
              onClick={() => void update(current, { isDefault: current.value.isDefault !== true })}
            >
              {t(current.value.isDefault === true ? "view.noDefault" : "view.makeDefault")}
            </Menu.Item>
          )}
          {current?.may_change && (
            <Menu.Item
              leftSection={<Icon of={IconTrash} />}
              onClick={() => void remove(current).then(onRemoved, showError)}
            >
              {t("view.delete", { name: current.value.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {current !== undefined && current.owner !== "me" && (
        <Chip tone="grey">{t(current.owner === "account" ? "view.ofAccount" : "view.ofTeam")}</Chip>
      )}
      {isEdited && <Chip tone="plain">{t("view.edited")}</Chip>}
      {saving && (
        <SaveViewDialog
          type={type}
          suggestion={current?.value.name ?? ""}
          onClose={() => setSaving(false)}
          onSave={async (wanted, owner, isDefault) => {
            const value = { name: wanted, collection: type.collection, query, widths };
            const saved = await save(isDefault ? { ...value, isDefault } : value, owner);
            setSaving(false);
            showMessage(t("view.saved", { name: wanted }));
            onSaved(saved);
          }}
        />
      )}
    </>
  );
}
