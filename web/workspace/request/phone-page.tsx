import { ActionIcon, Drawer, Menu } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { type ReactElement, type ReactNode, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PersonName } from "../../parts/people/person-name.tsx";
import { showError } from "../../parts/toast.tsx";
import { ImpactChip } from "../../parts/work/impact.tsx";
import { SlaChip } from "../../parts/work/sla-chip.tsx";
import { StatusChip, StatusIcon, statusLabel } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { paths } from "../../paths.ts";
import { isNegative, orderStatuses } from "../../queries/status-order.ts";
import { TextBlock } from "./blocks/text-block.tsx";
import { nameOf, type PageParts, referenceOf, textOf } from "./page-parts.ts";
import { Panels } from "./panels/panels.tsx";
import { useTargets } from "./queries.ts";
import { type Changes, useSave } from "./save/use-save.ts";
import { Linked, useLinkedCount } from "./side/linked.tsx";
import { Properties } from "./side/properties.tsx";
import { RequesterCard } from "./side/requester-card.tsx";
import { pickShownTarget } from "./side/shown-target.ts";
import { Clocks } from "./side/why-target.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { useCameFrom } from "./use-page-actions.ts";

const RefusalDialog = lazyDialog(async () => (await import("./refusal-dialog.tsx")).default);

// The page on a phone: one column, chips for what matters, the rest in tabs.

type PhoneTab = "conversation" | "details" | "linked" | "clocks";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  locked: string | null;
  side: ReactNode;
  pending: readonly ReactElement[];
  composer: ReactNode;
  actions: readonly Action[];
  editing: string | null;
  onEdit(name: string | null): void;
  onTellAll: (() => void) | null;
};

export function PhonePage({ type, row, parts, locked, pending, composer, actions, editing, onEdit, onTellAll }: Props) {
  const { account } = useCurrentAccount();
  const [tab, setTab] = useState<PhoneTab>("conversation");
  const [linking, setLinking] = useState(false);
  const targets = useTargets(type, String(row.id), parts.hasClocks);
  const shown = pickShownTarget(row, parts, targets.data ?? []);
  const came = useCameFrom(type, row.id);
  const back = came?.path ?? paths.list(account.id, type);
  const tabs: readonly PhoneTab[] = [
    "conversation",
    "details",
    "linked",
    ...(parts.hasClocks ? (["clocks"] as const) : []),
  ];
  const linked = useLinkedCount(type, row, parts);
  const member = referenceOf(row, "member");
  const requester = parts.requester === null ? null : referenceOf(row, parts.requester);
  return (
    <>
      <div className="phone-head">
        <ActionIcon variant="subtle" size={44} aria-label={t("request.back")} {...linkTo(back)}>
          <Icon of={IconChevronLeft} size={22} />
        </ActionIcon>
        <div className="phone-title">
          <h1 className="truncate">{textOf(row, "subject")}</h1>
          <span className="quiet truncate">
            {[formatWorkId(type.name, row.id), parts.requester === null ? "" : nameOf(row, parts.requester)]
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
            {actions
              .filter(({ when, keysOnly }) => when !== false && keysOnly !== true)
              .map((action) => (
                <Menu.Item key={action.id} onClick={() => void action.run()}>
                  {action.name}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className="phone-chips">
        {shown.target !== null && <SlaChip {...shown} status={textOf(row, "status")} />}
        <PhoneStatus type={type} row={row} locked={locked !== null} />
        {typeof row.impact === "string" && (
          <button
            type="button"
            className="phone-chip"
            onClick={() => {
              setTab("details");
              onEdit("impact");
            }}
          >
            <ImpactChip impact={row.impact} />
          </button>
        )}
        {"member" in type.fields && (
          <button
            type="button"
            className="phone-chip"
            onClick={() => {
              setTab("details");
              onEdit("member");
            }}
          >
            <PersonName person={member} />
          </button>
        )}
      </div>
      <div role="tablist" className="phone-tabs" aria-label={t("request.details")}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            className="phone-tab"
            aria-selected={tab === each}
            onClick={() => setTab(each)}
          >
            {t(`request.phone.${each}`)}
            {each === "linked" && linked !== null && linked > 0 && <span className="phone-tab-count">{linked}</span>}
          </button>
        ))}
      </div>
      <div className="phone-body">
        {tab === "conversation" && parts.startsAtTop === true && (
          <>
            {parts.head !== undefined && <Panels type={type} row={row} names={[parts.head]} isQuiet />}
            <Panels type={type} row={row} names={parts.panels} />
          </>
        )}
        {tab === "conversation" && <Timeline type={type} row={row} parts={parts} only="everything" pending={pending} />}
        {tab === "details" && (
          <div className="phone-panel">
            {parts.blocks.map((name) => (
              <TextBlock key={name} type={type} row={row} name={name} locked={locked !== null} />
            ))}
            {parts.startsAtTop !== true && <Panels type={type} row={row} names={parts.panels} />}
            <Panels type={type} row={row} names={parts.sideTop ?? []} isQuiet />
            <Properties type={type} row={row} parts={parts} locked={locked} editing={editing} onEditing={onEdit} />
            {requester !== null && <RequesterCard person={requester} except={row.id} />}
          </div>
        )}
        {tab === "linked" && (
          <div className="phone-panel">
            <Linked
              type={type}
              row={row}
              parts={parts}
              locked={locked}
              linking={linking}
              onLinking={setLinking}
              onTellAll={onTellAll}
            />
          </div>
        )}
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

/** Two taps: the chip, then the status. */
function PhoneStatus({ type, row, locked }: { type: RecordType; row: Row; locked: boolean }) {
  const save = useSave(type, String(row.id));
  const [seen, setSeen] = useState<Row | null>(null);
  const [refusal, setRefusal] = useState<{ status: string; seen: Row } | null>(null);
  const status = textOf(row, "status");
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
