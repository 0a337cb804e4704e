import type { IconComponent } from "../../elements/icon.tsx";

export type MenuEntry =
  | { is: "divider" }
  | { is: "heading"; label: string }
  | { is: "person"; name: string; email: string }
  | {
      is: "item";
      key: string;
      label: string;
      /** a second line */
      second?: string;
      icon?: IconComponent;
      shortcut?: string;
      /** the current choice */
      chosen?: boolean;
      disabled?: boolean;
      /** an address of the interface, or of another page of the server */
      path?: string;
      keepOpen?: boolean;
      run?(): unknown;
    };

/** The props of a lazily loaded dropdown. */
export type DropdownProps = { anchor: HTMLElement; opened: boolean; onClose(): void };
