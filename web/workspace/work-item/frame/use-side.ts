import { useState } from "react";

export type SideState = {
  /** the field being edited */
  editing: string | null;
  setEditing(field: string | null): void;
  isLinking: boolean;
  setLinking(isLinking: boolean): void;
  isWhyOpen: boolean;
  setWhyOpen(isOpen: boolean): void;
  isDrawerOpen: boolean;
  setDrawerOpen(isOpen: boolean): void;
  /** called by actions: they open the drawer first */
  edit(field: string): void;
  link(): void;
  toggleWhy(): void;
  toggle(): void;
};

/** The state of a record's details. `hasDrawer`: they are in a drawer, because the page has no room beside it. */
export function useSide(hasDrawer: boolean): SideState {
  const [editing, setEditing] = useState<string | null>(null);
  const [isLinking, setLinking] = useState(false);
  const [isWhyOpen, setWhyOpen] = useState(true);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const open = () => {
    if (hasDrawer) setDrawerOpen(true);
  };
  return {
    ...{ editing, setEditing, isLinking, setLinking, isWhyOpen, setWhyOpen, isDrawerOpen, setDrawerOpen },
    edit(field) {
      open();
      setEditing(field);
    },
    link() {
      open();
      setLinking(true);
    },
    toggleWhy() {
      open();
      setWhyOpen((was) => !was);
    },
    toggle: () => setDrawerOpen((was) => !was),
  };
}
