import { Button, Menu } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { NextStatus } from "../../../drafts/draft.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { lowerFirst } from "../../../languages/labels.ts";
import { StatusIcon, statusLabel } from "../../../parts/work/status.tsx";
import { isClosed, type PageParts } from "../page-parts.ts";

type Props = {
  type: RecordType;
  status: string;
  parts: PageParts;
  next: NextStatus | null;
  onChoose(next: NextStatus | null): void;
  onWait(): void;
  onComplete(): void;
};

/** The record's status after the note: "Keep in progress", "Waiting for customer", "Wait until…", "Complete…". */
export function NextStatusMenu({ type, status, parts, next, onChoose, onWait, onComplete }: Props) {
  const states: readonly string[] = type.states?.states ?? [];
  const offered = (parts.nextStates ?? ["in_progress", "waiting_for_customer"]).filter(
    (each) => states.includes(each) && each !== status && !isClosed(status),
  );
  const keep = t("request.status.keep", { status: lowerFirst(statusLabel(type.name, status)) });
  const shown = next?.status ?? status;
  return (
    <Menu position="top-end" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<StatusIcon type={type.name} status={shown} silent />}
          rightSection={<Icon of={IconChevronDown} size={14} />}
          aria-label={`${t("request.status.next")}: ${next === null ? keep : statusLabel(type.name, next.status)}`}
        >
          <span className="next-status-text">{next === null ? keep : statusLabel(type.name, next.status)}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<StatusIcon type={type.name} status={status} silent />} onClick={() => onChoose(null)}>
          {keep}
        </Menu.Item>
        {isClosed(status) && states.includes("assigned") && (
          <Menu.Item
            leftSection={<StatusIcon type={type.name} status="assigned" silent />}
            onClick={() => onChoose({ status: "assigned" })}
          >
            {t("request.status.reopen")}
          </Menu.Item>
        )}
        {offered.map((each) => (
          <Menu.Item
            key={each}
            leftSection={<StatusIcon type={type.name} status={each} silent />}
            onClick={() => onChoose({ status: each })}
          >
            {statusLabel(type.name, each)}
          </Menu.Item>
        ))}
        {states.includes("waiting_for") && !isClosed(status) && (
          <Menu.Item leftSection={<StatusIcon type={type.name} status="waiting_for" silent />} onClick={onWait}>
            {t("request.status.wait")}
          </Menu.Item>
        )}
        {parts.completed !== null && !isClosed(status) && (
          <Menu.Item
            leftSection={<StatusIcon type={type.name} status={parts.completed.status} silent />}
            onClick={onComplete}
          >
            {t("request.status.complete")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
