import { ActionIcon, Drawer, Menu } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { type ReactElement, type ReactNode, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { PersonName } from "../../parts/people/person-name.tsx";
import { type Changes, useSave } from "../../parts/save/use-save.ts";
import { ImpactChip } from "../../parts/work/impact.tsx";
import { SlaChip } from "../../parts/work/sla-chip.tsx";
import { StatusChip, StatusIcon, statusLabel } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { type ExplainedTargets, useTargets } from "../../queries/record-page.ts";
import { isNegative, orderStatuses } from "../../queries/status-order.ts";
import { TextBlock } from "./blocks/text-block.tsx";
import type { WorkItem } from "./frame/use-work-item.ts";
import { getReference, getReferencedName, readText } from "./page-parts.ts";
import { Panels } from "./panels/panels.tsx";
import { pickShownTarget } from "./side/current-target.ts";
import { Linked, useLinkedCount } from "./side/linked.tsx";
import { Properties } from "./side/properties.tsx";
import { RequesterCard } from "./side/requester-card.tsx";
import { Clocks } from "./side/why-target.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { useSourceList } from "./use-page-actions.ts";

const RefusalDialog = lazyDialog(async () => (await import("./refusal-dialog.tsx")).default);

// The page on a phone: one column, chips for the most important fields, the rest in tabs.

type PhoneTab = "conversation" | "details" | "linked" | "clocks";

/** Back, subject, and the menu of all actions. */
export function PhoneHead({ page }: { page: WorkItem }) {
  const { type, row, parts } = page;
  const { account } = useCurrentAccount();
  const sourceList = useSourceList(type, row.id);
  const back = sourceList?.path ?? paths.list(account.id, type);
  const offered = [...page.actions.values()].filter(({ when, keysOnly }) => when !== false && keysOnly !== true);
  return (
    <div className="phone-head">
      <ActionIcon variant="subtle" size={44} aria-label={t("request.back")} {...linkTo(back)}>
        <Icon of={IconChevronLeft} size={22} />
      </ActionIcon>
      <div className="phone-title">
        <h1 className="truncate">{readText(row, "subject")}</h1>
        <span className="quiet truncate">
          {[formatWorkId(type.name, row.id), parts.requester === null ? "" : getReferencedName(row, parts.requester)]
            .filter((part) => part !== "")
            .join(" · ")}
        </span>
      </div>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="subtle" size={44} aria-label={t("record.more")}>
            <Icon of={IconDots} size={22} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((action) => (
            <Menu.Item key={action.id} onClick={() => void action.run()}>
              {action.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

type Props = { page: WorkItem; pending: readonly ReactElement[]; composer: ReactNode };

export function PhonePage({ page, pending, composer }: Props) {
  const { type, row, parts } = page;
  const [tab, setTab] = useState<PhoneTab>("conversation");
  const targets = useTargets(type, String(row.id), parts.hasClocks);
  const edit = (field: string) => {
    setTab("details");
    page.side.setEditing(field);
  };
  return (
    <>
      <PhoneChips page={page} targets={targets.data ?? []} onEdit={edit} />
      <PhoneTabs page={page} tab={tab} onTab={setTab} />
      <div className="phone-body">
        {tab === "conversation" && (
          <>
            {parts.startsAtTop === true && <PanelsOnTop page={page} />}
            <Timeline type={type} row={row} parts={parts} only="everything" pending={pending} />
          </>
        )}
        {tab === "details" && <PhoneDetails page={page} />}
        {tab === "linked" && <PhoneLinked page={page} />}
        {tab === "clocks" && (
          <div className="phone-panel">
            <Clocks all={targets.data ?? []} />
          </div>
        )}
      </div>
      {tab === "conversation" && composer}
    </>
  );
}

type ChipsProps = { page: WorkItem; targets: readonly ExplainedTargets[]; onEdit(field: string): void };

/** Target, status, impact and member. */
function PhoneChips({ page, targets, onEdit }: ChipsProps) {
  const { type, row, parts, locked } = page;
  const shown = pickShownTarget(row, parts, targets);
  return (
    <div className="phone-chips">
      {shown.target !== null && <SlaChip {...shown} status={readText(row, "status")} />}
      <PhoneStatus type={type} row={row} locked={locked !== null} />
      {typeof row.impact === "string" && (
        <button type="button" className="phone-chip" onClick={() => onEdit("impact")}>
          <ImpactChip impact={row.impact} />
        </button>
      )}
      {"member" in type.fields && (
        <button type="button" className="phone-chip" onClick={() => onEdit("member")}>
          <PersonName person={getReference(row, "member")} />
        </button>
      )}
    </div>
  );
}

type TabsProps = { page: WorkItem; tab: PhoneTab; onTab(tab: PhoneTab): void };

function PhoneTabs({ page, tab, onTab }: TabsProps) {
  const linked = useLinkedCount(page.type, page.row, page.parts);
  const tabs: readonly PhoneTab[] = ["conversation", "details", "linked"];
  return (
    <div role="tablist" className="phone-tabs" aria-label={t("request.details")}>
      {[...tabs, ...(page.parts.hasClocks ? (["clocks"] as const) : [])].map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          className="phone-tab"
          aria-selected={tab === each}
          onClick={() => onTab(each)}
        >
          {t(`request.phone.${each}`)}
          {each === "linked" && linked !== null && linked > 0 && <span className="phone-tab-count">{linked}</span>}
        </button>
      ))}
    </div>
  );
}

const PanelsOnTop = ({ page: { type, row, parts } }: { page: WorkItem }) => (
  <>
    {parts.head !== undefined && <Panels type={type} row={row} names={[parts.head]} isQuiet />}
    <Panels type={type} row={row} names={parts.panels} />
  </>
);

function PhoneDetails({ page }: { page: WorkItem }) {
  const { type, row, parts, locked, side } = page;
  const requester = parts.requester === null ? null : getReference(row, parts.requester);
  return (
    <div className="phone-panel">
      {parts.blocks.map((name) => (
        <TextBlock key={name} type={type} row={row} name={name} locked={locked !== null} />
      ))}
      {parts.startsAtTop !== true && <Panels type={type} row={row} names={parts.panels} />}
      <Panels type={type} row={row} names={parts.sideTop ?? []} isQuiet />
      <Properties {...{ type, row, parts, locked }} editing={side.editing} onEditing={side.setEditing} />
      {requester !== null && <RequesterCard person={requester} except={row.id} />}
    </div>
  );
}

function PhoneLinked({ page }: { page: WorkItem }) {
  const { type, row, parts, locked, actions } = page;
  const [isLinking, setLinking] = useState(false);
  const tellAll = actions.get("request.tellAll");
  return (
    <div className="phone-panel">
      <Linked
        {...{ type, row, parts, locked }}
        linking={isLinking}
        onLinking={setLinking}
        onTellAll={tellAll?.when === true ? () => void tellAll.run() : null}
      />
    </div>
  );
}

/** Two taps: the chip, then the status. */
function PhoneStatus({ type, row, locked }: { type: RecordType; row: Row; locked: boolean }) {
  const save = useSave(type, String(row.id));
  const [seen, setSeen] = useState<Row | null>(null);
  const [refusal, setRefusal] = useState<{ status: string; seen: Row } | null>(null);
  const status = readText(row, "status");
  const states = orderStatuses(type.states?.states ?? []);
  const change = (changes: Changes, from: Row) =>
    save(changes, { message: t("request.changed", { field: fieldLabel("status") }), seen: from });
  const choose = (wanted: string, from: Row) => {
    setSeen(null);
    if (isNegative(wanted)) setRefusal({ status: wanted, seen: from });
    else change({ status: wanted }, from).catch(showError);
  };
  if (status === "") return null;
  return (
    <>
      <button type="button" className="phone-chip" data-tone="blue" disabled={locked} onClick={() => setSeen(row)}>
        <StatusChip type={type.name} status={status} />
        <Icon of={IconChevronDown} size={14} />
      </button>
      <Drawer.Root opened={seen !== null} onClose={() => setSeen(null)} position="bottom" size="auto">
        <Drawer.Overlay />
        <Drawer.Content aria-label={fieldLabel("status")}>
          <Drawer.Body>
            {states
              .filter((each) => each !== "waiting_for")
              .map((each) => (
                <button
                  key={each}
                  type="button"
                  className="phone-option"
                  aria-pressed={each === status}
                  onClick={() => choose(each, seen ?? row)}
                >
                  <StatusIcon type={type.name} status={each} silent /> {statusLabel(type.name, each)}
                </button>
              ))}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {refusal !== null && (
        <RefusalDialog
          type={type.name}
          id={row.id}
          status={refusal.status}
          onRefuse={(note) => change({ status: refusal.status, note }, refusal.seen)}
          onClose={() => setRefusal(null)}
        />
      )}
    </>
  );
}
