import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useActionKeys } from "../../actions/keys.ts";
import { t } from "../../languages/index.ts";
import { useIsSessionLost } from "../../lost-session.ts";
import { TipLayer } from "../../parts/tip.tsx";
import { useAwayNotices } from "./away-notices.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { newDialogs } from "./dialogs.ts";
import { useShellActions } from "./shell-actions.ts";
import { SideMenu } from "./side-menu.tsx";
import { useFrameSize } from "./use-frame-size.ts";

// What every page has around it: the menu at the side, or the bar below on a phone.

const loadPalette = () => import("../palette/palette.tsx");
const loadShortcuts = () => import("../palette/shortcut-sheet.tsx");
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const SessionDialog = lazy(async () => ({ default: (await import("./session-dialog.tsx")).SessionDialog }));
const ShortcutSheet = lazy(async () => ({ default: (await loadShortcuts()).ShortcutSheet }));

/** The palette has to be there at once when it is asked for, and not before the page. */
const idle = (run: () => unknown): void =>
  void ("requestIdleCallback" in window ? requestIdleCallback(run, { timeout: 3000 }) : setTimeout(run, 1500));

export function Shell({ children, notifications = null }: { children: ReactNode; notifications?: number | null }) {
  const { phone, collapsed } = useFrameSize();
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  const { pathname } = useLocation();
  const isSessionLost = useIsSessionLost();
  useActionKeys();
  useAwayNotices();
  useShellActions({ openPalette: () => setOpen("palette"), openShortcuts: () => setOpen("shortcuts") });
  useEffect(() => idle(loadPalette), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes what is above the old one
  useEffect(() => setOpen(null), [pathname]);
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so the keyboard has to reach it */}
      <main id="content" tabIndex={0} className="surface" data-scroll-restoration-id="surface">
        {children}
      </main>
      {phone && <BottomBar notifications={notifications} />}
      <Suspense fallback={null}>
        {open === "palette" && <Palette onClose={() => setOpen(null)} onShortcuts={() => setOpen("shortcuts")} />}
        {open === "shortcuts" && <ShortcutSheet onClose={() => setOpen(null)} />}
        <NewDialog />
      </Suspense>
      <Suspense fallback={null}>{isSessionLost && <SessionDialog />}</Suspense>
    </div>
  );
}

/** `?new=request` opens a dialog above any page; Back closes it. */
function NewDialog() {
  const { new: wanted } = useSearch({ strict: false }) as { new?: string };
  const navigate = useNavigate();
  const Dialog = wanted === undefined ? undefined : newDialogs[wanted];
  if (Dialog === undefined) return null;
  const close = () =>
    void navigate({ to: ".", search: ((was: object) => ({ ...was, new: undefined })) as never, replace: true });
  return <Dialog onClose={close} />;
}
