import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useContext, useEffect, useState } from "react";
import { useActionKeys } from "../../actions/keys.ts";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { personKind } from "../../base/person-kind.ts";
import { preloadWhenIdle, whenIdle } from "../../base/when-idle.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { TipLayer } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { withWords } from "../../languages/labels.ts";
import { useIsSessionLost } from "../../live/lost-session.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { useAwayNotices } from "./background-notifications.ts";
import { newDialogs } from "./dialogs.ts";
import { useShellActions } from "./shell-actions.ts";
import { SideMenu } from "./side-menu.tsx";
import { useFrameSize } from "./use-frame-size.ts";
import { useNewPage } from "./use-new-page.ts";

// The frame of every page: the menu at the side, or the bar at the bottom on a phone.

const SettingsActions = lazyPart(async () => (await withWords(import("./settings-actions.tsx"))).SettingsActions);
const BottomBar = lazyPart(async () => (await import("./bottom-bar.tsx")).BottomBar);
const Palette = lazyDialog(async () => (await withWords(import("../palette/palette.tsx"))).Palette);
const SessionDialog = lazyPart(async () => (await withWords(import("./session-dialog.tsx"))).SessionDialog);
const ShortcutSheet = lazyDialog(async () => (await withWords(import("../palette/shortcut-sheet.tsx"))).ShortcutSheet);

const loadMainScreens = async () => {
  const [{ mainScreens }] = await Promise.all([import("./main-screens.ts"), import("../../base/record-types.ts")]);
  preloadWhenIdle(mainScreens);
};

export function Shell({ children, notifications = null }: { children: ReactNode; notifications?: number | null }) {
  const { phone, collapsed } = useFrameSize();
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  const isSessionLost = useIsSessionLost();
  const here = useContext(CurrentAccountContext);
  const hasSettings = here !== null && personKind(here.account.roles) !== "requester";
  useActionKeys();
  useAwayNotices();
  useShellActions({ openPalette: () => setOpen("palette"), openShortcuts: () => setOpen("shortcuts") });
  // The palette must open immediately, but must not delay the page.
  const [settled, setSettled] = useState(false);
  useEffect(
    () =>
      whenIdle(async () => {
        await Promise.all([Palette, ShortcutSheet, SettingsActions].map((part) => part.preload()));
        setSettled(true);
        preloadWhenIdle([loadMainScreens]);
      }),
    [],
  );
  useNewPage(() => setOpen(null));
  return (
    <div className="frame" data-collapsed={collapsed || undefined} data-phone={phone || undefined}>
      <TipLayer />
      <a className="skip" href="#content">
        {t("app.skip")}
      </a>
      {!phone && (
        <header className="menu">
          <SideMenu collapsed={collapsed} notifications={notifications} />
        </header>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <main id="content" tabIndex={0} className="surface" data-scroll-restoration-id="surface">
        {children}
      </main>
      <Suspense fallback={<div className="bottom-bar" />}>
        {phone && <BottomBar notifications={notifications} />}
      </Suspense>
      <Suspense fallback={null}>{settled && hasSettings && <SettingsActions />}</Suspense>
      {open === "palette" && <Palette onClose={() => setOpen(null)} onShortcuts={() => setOpen("shortcuts")} />}
      {open === "shortcuts" && <ShortcutSheet onClose={() => setOpen(null)} />}
      <NewDialog />
      <Suspense fallback={null}>{isSessionLost && <SessionDialog />}</Suspense>
    </div>
  );
}

/** `?new=request` opens a dialog above any page; Back closes it. */
function NewDialog() {
  const wanted = useSearch({ strict: false, select: (search: { new?: string }) => search.new });
  const navigate = useNavigate();
  const Dialog = wanted === undefined ? undefined : newDialogs[wanted];
  if (Dialog === undefined) return null;
  const close = () => void navigate({ to: ".", search: (was: object) => ({ ...was, new: undefined }), replace: true });
  return <Dialog onClose={close} />;
}
