import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../languages/index.ts";
import { useLiveState } from "../../../live/live-state.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { CompleteDialog } from "../complete-dialog.tsx";
import { RequestBar } from "../request-bar.tsx";
import { SideContent } from "../side/side-content.tsx";
import { StateBars } from "../state-bars.tsx";
import { WaitDialog } from "../wait-dialog.tsx";
import type { WorkItem } from "./use-work-item.ts";
import "../../../styles/request.css";
import "../../../styles/request-tools.css";

const MessageAllDialog = lazyDialog(async () => (await import("../message-all-dialog.tsx")).default);

type Props = {
  page: WorkItem;
  className: string;
  /** replaces the bar of the page: phones have less room */
  head?: ReactNode;
  /** the type's own buttons, before the common ones */
  buttons?: ReactNode;
  children: ReactNode;
};

/** The frame of all work items: bar, state bars, the type's content, details, and the dialogs of its actions. */
export function WorkItemFrame({ page, className, head, buttons, children }: Props) {
  const { type, row, actions, side } = page;
  const live = useLiveState();
  return (
    <div className={`page ${className}`} data-phone={page.isPhone || undefined} data-live={live}>
      {head ?? (
        <RequestBar
          type={type}
          row={row}
          people={page.people}
          actions={actions}
          onSide={page.hasDrawer ? () => side.setDrawerOpen(true) : null}
          extra={buttons}
          completes={page.parts.isCompletedInBar !== false}
        />
      )}
      <StateBars type={type} row={row} restore={actions.get("request.restore")} />
      {children}
      {page.hasDrawer && <SideDrawer page={page} />}
      <WorkItemDialogs page={page} />
    </div>
  );
}

/** The details of the record: beside the page, or in its drawer. */
export function Side({ page }: { page: WorkItem }) {
  const { type, row, parts, locked, side, actions } = page;
  const tellAll = actions.get("request.tellAll");
  return (
    <SideContent
      type={type}
      row={row}
      parts={parts}
      locked={locked}
      editing={side.editing}
      onEditing={side.setEditing}
      linking={side.isLinking}
      onLinking={side.setLinking}
      onTellAll={tellAll?.when === true ? () => void tellAll.run() : null}
      why={side.isWhyOpen}
      onWhy={() => side.setWhyOpen(!side.isWhyOpen)}
    />
  );
}

function SideDrawer({ page }: { page: WorkItem }) {
  const { isDrawerOpen, setDrawerOpen } = page.side;
  return (
    <Drawer.Root opened={isDrawerOpen} onClose={() => setDrawerOpen(false)} position="right" size={372}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={t("request.details")}>
        <Drawer.Header role="presentation">
          <Drawer.Title fw={650}>{t("request.details")}</Drawer.Title>
          <Drawer.CloseButton aria-label={t("app.close")} />
        </Drawer.Header>
        <Drawer.Body>
          <Side page={page} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function WorkItemDialogs({ page }: { page: WorkItem }) {
  const { type, row, parts, dialog, setDialog, save } = page;
  const close = () => setDialog(null);
  if (dialog === null) return null;
  if (dialog.is === "tell all") return <MessageAllDialog type={type} row={row} onClose={close} />;
  if (dialog.is === "complete")
    return (
      <CompleteDialog
        type={type}
        row={row}
        parts={parts}
        onComplete={(changes) => save(changes, { message: t("request.completed") })}
        onClose={close}
      />
    );
  return (
    <WaitDialog
      record={`${type.name}/${row.id}`}
      onChoose={(until) => {
        close();
        dialog.choose(until);
      }}
      onClose={close}
    />
  );
}
