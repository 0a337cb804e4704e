import { ActionIcon, Menu } from "@mantine/core";
import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconLayoutSidebarRight from "@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRight.mjs";
import IconUrgent from "@tabler/icons-react/dist/esm/icons/IconUrgent.mjs";
import { Fragment, type ReactNode } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo, navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { readText } from "./page-parts.ts";
import { useSourceList } from "./use-page-actions.ts";

export function RequestTitle({ row }: { row: Row }) {
  const major = row.major_incident_status;
  return (
    <div className="request-title">
      <h1>{readText(row, "subject")}</h1>
      {typeof major === "string" && (
        <Chip tone="red" icon={IconUrgent}>
          {t("request.major")}
        </Chip>
      )}
    </div>
  );
}

type BarProps = {
  type: RecordType;
  row: Row;
  people: readonly { id: number; name: string; doing: string }[];
  actions: ReadonlyMap<string, Action>;
  onSide: (() => void) | null;
  /** the type's own buttons, before the common ones */
  extra?: ReactNode;
  /** false: completing is rare, and only in the menu */
  completes?: boolean;
};

export function RequestBar({ type, row, people, actions, onSide, extra, completes = true }: BarProps) {
  const { account } = useCurrentAccount();
  const sourceList = useSourceList(type, row.id);
  const back = sourceList ?? { label: collectionLabel(type), part: undefined, path: paths.list(account.id, type) };
  const step = (name: "request.next" | "request.previous") => actions.get(name)?.run;
  const get = (name: string) => actions.get(name);
  const [complete, watch, copy] = [get("request.complete"), get("request.watch"), get("request.copy")];
  const menu = [...actions.values()].filter(
    ({ id, when, keysOnly }) =>
      when !== false && keysOnly !== true && (id !== "request.complete" || !completes) && id !== "request.watch",
  );
  const [first] = people;
  return (
    <div className="page-bar request-bar">
      <ActionIcon variant="subtle" size={30} aria-label={t("request.back")} color="gray" {...linkTo(back.path)}>
        <Icon of={IconArrowLeft} />
      </ActionIcon>
      <nav aria-label={t("record.breadcrumb")} className="trail">
        {[back.label, ...(back.part === undefined ? [] : [back.part])].map((label) => (
          <Fragment key={label}>
            <Link to={back.path}>{label}</Link>
            <span aria-hidden="true" className="trail-mark">
              ›
            </span>
          </Fragment>
        ))}
        <span aria-current="page" className="trail-here numbers">
          {formatWorkId(type.name, row.id)}
        </span>
      </nav>
      {copy !== undefined && <ActionButton action={copy} compact plain size="xs" />}
      <div className="page-actions">
        {first !== undefined && (
          <span className="presence-line" role="status">
            <Avatar person={first} size={20} silent />
            <span className="truncate">
              {t(first.doing === "writing" ? "request.presence.writing" : "request.presence.viewing", {
                name: first.name.split(" ")[0] ?? first.name,
              })}
              {people.length > 1 && ` +${people.length - 1}`}
            </span>
          </span>
        )}
        {sourceList !== null && (
          <>
            <span className="quiet numbers">
              {t("request.place", { place: sourceList.at + 1, total: sourceList.records.length })}
            </span>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t("request.action.previous")}
              disabled={sourceList.at === 0}
              onClick={() => void step("request.previous")?.()}
            >
              <Icon of={IconChevronUp} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t("request.action.next")}
              disabled={sourceList.at === sourceList.records.length - 1}
              onClick={() => void step("request.next")?.()}
            >
              <Icon of={IconChevronDown} />
            </ActionIcon>
          </>
        )}
        {extra}
        {watch !== undefined && <ActionButton action={watch} compact />}
        {complete !== undefined && completes && <ActionButton action={complete} />}
        {onSide !== null && (
          <ActionIcon variant="default" size={30} aria-label={t("request.details")} onClick={onSide}>
            <Icon of={IconLayoutSidebarRight} />
          </ActionIcon>
        )}
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={t("record.more")}>
              <Icon of={IconDots} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {menu.map((action) => (
              <Menu.Item
                key={action.id}
                onClick={() => void action.run()}
                rightSection={action.keys === undefined ? undefined : <Kbd keys={action.keys} />}
              >
                {action.name}
              </Menu.Item>
            ))}
            <Menu.Item onClick={() => navigateTo(paths.edit(account.id, type, row.id))}>
              {t("request.allFields")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </div>
  );
}
