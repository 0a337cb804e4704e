import { type ReactElement, Suspense, useState } from "react";
import { type LazyPart, lazyPart } from "../../elements/lazy-part.tsx";
import type { DropdownProps, MenuEntry } from "./menu-entry.ts";

// A button that opens a menu or a panel. The content is loaded when the pointer or the focus comes near, because no
// page needs it initially. The button itself never changes, so neither a click nor the focus is lost while loading.

type Position = "bottom-start" | "bottom-end" | "top-start" | "top-end" | "right-start";

const MenuList = lazyPart(async () => (await import("./menu-list.tsx")).MenuList);

type ButtonProps = {
  ref: (element: HTMLElement | null) => void;
  onClick(): void;
  onMouseEnter(): void;
  onFocus(): void;
  "aria-haspopup": "menu" | "dialog";
  "aria-expanded": boolean;
};

type Props = {
  entries: readonly MenuEntry[];
  /** the button, with the props that open the menu */
  children(props: ButtonProps): ReactElement;
  position: Position;
  width?: number;
  /** for callers that also open it themselves */
  opened?: boolean;
  onOpened?(opened: boolean): void;
};

export function MenuButton({ entries, children, position, width, opened, onOpened }: Props) {
  return (
    <DropdownButton kind="menu" load={MenuList.preload} opened={opened} onOpened={onOpened} button={children}>
      {(dropdown) => <MenuList entries={entries} position={position} width={width} {...dropdown} />}
    </DropdownButton>
  );
}

type PanelProps = { content: LazyPart<DropdownProps>; kind?: DropdownButtonProps["kind"] };

/** The same for a custom panel, or for a menu whose entries are loaded with it. */
export function PanelButton({ content: Content, kind = "dialog", children }: PanelProps & Pick<Props, "children">) {
  return (
    <DropdownButton kind={kind} load={Content.preload} button={children}>
      {(dropdown) => <Content {...dropdown} />}
    </DropdownButton>
  );
}

type DropdownButtonProps = {
  kind: "menu" | "dialog";
  load(): Promise<unknown>;
  button: Props["children"];
  children(props: DropdownProps): ReactElement;
  opened?: boolean | undefined;
  onOpened?: ((opened: boolean) => void) | undefined;
};

function DropdownButton({ kind, load, button, children, opened, onOpened }: DropdownButtonProps) {
  const [own, setOwn] = useState(false);
  // Stays mounted once it has been open, so that its closing is animated.
  const [wasOpen, setWasOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOpen = opened ?? own;
  const setOpen = onOpened ?? setOwn;
  if (isOpen && !wasOpen) setWasOpen(true);
  const near = () => void load();
  return (
    <>
      {button({
        ref: setAnchor,
        onClick: () => setOpen(!isOpen),
        onMouseEnter: near,
        onFocus: near,
        "aria-haspopup": kind,
        "aria-expanded": isOpen,
      })}
      {wasOpen && anchor !== null && (
        <Suspense fallback={null}>{children({ anchor, opened: isOpen, onClose: () => setOpen(false) })}</Suspense>
      )}
    </>
  );
}
