import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { buildTokens } from "./tokens.ts";

// Mantine provides behavior, our tokens the look (D-813): its colors are the roles of tokens.ts. Its sizes are those of
// web/styles/elements/tokens.css, set in library-look.css; here they would add scripts to the first screen. Components
// are named, not imported, so that a page loads only those that it uses.

// biome-ignore format: light to dark
const steward: MantineColorsTuple = [
  "#e9f1fd", "#d3e3fb", "#a6c6f5", "#8ab8ff", "#5793e8", "#4b8ff0", "#2e6fd1", "#1257b8", "#0d4799", "#08367a",
];
// biome-ignore format: light to dark
const dark: MantineColorsTuple = [
  "#e7ecf3", "#b3becc", "#909cad", "#6b788b", "#3a4554", "#252e39", "#1a212a", "#141a21", "#10151b", "#0d1116",
];

const scrollingDropdown = { maxHeight: 260, overflowY: "auto" } as const;
/**
 * Menus and lists stay in their place in the document, within the part of the page that opened them. They use fixed
 * positioning, so that neither a dialog nor a scrolling list cuts them off (D-758).
 */
const inPlace = { withinPortal: false, floatingStrategy: "fixed" } as const;

/** Buttons: 26 in bars, 30 in pages, 36 and 44 in the portal. */
const buttonHeights: Readonly<Record<string, [height: string, padding: string]>> = {
  xs: ["26px", "8px"],
  sm: ["30px", "11px"],
  md: ["36px", "14px"],
  lg: ["44px", "18px"],
};

export const theme = createTheme({
  primaryColor: "steward",
  primaryShade: { light: 7, dark: 6 },
  colors: { steward, dark },
  fontFamily: '"Inter Variable", "Inter Fallback", system-ui, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, "Cascadia Mono", Menlo, monospace',
  defaultRadius: "var(--radius-button)",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: "none", fw: 500, radius: "xs" } },
    Button: {
      defaultProps: { fw: 500 },
      vars: (_theme: unknown, { size = "sm" }: { size?: string | number }) => {
        const [height, padding] = buttonHeights[String(size)] ?? ["30px", "11px"];
        return {
          root: { "--button-height": height, "--button-padding-x": padding, "--button-fz": "var(--font-body)" },
        };
      },
    },
    Combobox: { defaultProps: inPlace },
    Menu: {
      defaultProps: { ...inPlace, withInitialFocusPlaceholder: false, transitionProps: { duration: 120 } },
    },
    Checkbox: { defaultProps: { size: "xs", radius: "xs" } },
    ModalCloseButton: { defaultProps: { iconSize: "1rem" } },
    DrawerCloseButton: { defaultProps: { iconSize: "1rem" } },
    ModalContent: { defaultProps: { radius: "lg" } },
    // A fade leaves no transform behind, which would confine elements with fixed positioning.
    ModalRoot: { defaultProps: { transitionProps: { duration: 180, transition: "fade" } } },
    Popover: { defaultProps: inPlace },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Tooltip: {
      defaultProps: { withinPortal: false, openDelay: 350, events: { hover: true, focus: true, touch: false } },
    },
    // The list itself scrolls: a scrolling box around it would need a tab stop.
    Select: { defaultProps: { withScrollArea: false }, styles: { options: scrollingDropdown } },
    MultiSelect: {
      defaultProps: { withScrollArea: false },
      styles: { options: scrollingDropdown },
    },
    // Hints are below the input, so that adjacent inputs are aligned.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    },
  },
});

/** Maps Mantine's colors to our roles. */
const libraryColors = {
  "--mantine-color-body": "var(--surface)",
  "--mantine-color-text": "var(--text)",
  "--mantine-color-dimmed": "var(--text-3)",
  "--mantine-color-placeholder": "var(--text-3)",
  "--mantine-color-error": "var(--red)",
  "--mantine-color-anchor": "var(--accent-text)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-color": "var(--text)",
  "--mantine-color-default-hover": "var(--fill)",
  "--mantine-color-default-border": "var(--line-2)",
  "--mantine-color-steward-light": "var(--accent-soft)",
  "--mantine-color-steward-light-hover": "var(--accent-soft)",
  "--mantine-color-steward-light-color": "var(--accent-text)",
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...buildTokens("light"), ...libraryColors },
  dark: { ...buildTokens("dark"), ...libraryColors },
});
