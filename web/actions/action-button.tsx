import { ActionIcon, Button } from "@mantine/core";
import { Icon } from "../elements/icon.tsx";
import { Kbd } from "../elements/kbd.tsx";
import { tip } from "../elements/tip.tsx";
import { type Action, ariaKeys } from "./action.ts";

type Props = {
  action: Action;
  /** one per page */
  primary?: boolean;
  danger?: boolean;
  /** shows only the icon, with the name on hover */
  compact?: boolean;
  /** shows the icon without a frame, for use beside text */
  plain?: boolean;
  size?: "xs" | "sm" | "md";
  loading?: boolean;
  /** hides the key, where there is no room or on touch screens */
  bare?: boolean;
};

/** The button of an action: its icon, name and key. Renders nothing if the action is unavailable. */
export function ActionButton(props: Props) {
  const { action, primary, danger, compact, plain, size = "sm", loading = false, bare = false } = props;
  const { name, icon, keys, run, when } = action;
  if (when === false) return null;
  const shortcut = ariaKeys(keys);
  const common = {
    onClick: () => void run(),
    loading,
    ...(shortcut === undefined ? {} : { "aria-keyshortcuts": shortcut }),
  };
  if (compact && icon !== undefined)
    return (
      <ActionIcon
        variant={plain ? "subtle" : "default"}
        {...(plain ? { c: "var(--text-2)" } : {})}
        size={size === "xs" ? 26 : 30}
        aria-label={name}
        {...tip(name)}
        {...common}
      >
        <Icon of={icon} />
      </ActionIcon>
    );
  return (
    <Button
      variant={primary ? "filled" : "default"}
      size={size}
      {...(danger ? { c: "var(--red)" } : {})}
      leftSection={icon === undefined ? undefined : <Icon of={icon} />}
      rightSection={keys === undefined || bare ? undefined : <Kbd keys={keys} />}
      {...common}
    >
      {name}
    </Button>
  );
}
