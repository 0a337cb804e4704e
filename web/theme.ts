import {
  Badge,
  Combobox,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  Menu,
  MultiSelect,
  Popover,
  Select,
} from "@mantine/core";

// The same colours as the sign-in pages (server/pages/style.css). Text on every ground keeps a contrast of 4.5 to 1,
// which the library's own greys and reds do not.

// biome-ignore format: light to dark
const steward: MantineColorsTuple = [
  "#eaf2ff", "#d3e3fb", "#a6c6f5", "#7fb2ff", "#5793e8", "#387bd8", "#2169c9", "#1257b8", "#0d4799", "#08367a",
];
// biome-ignore format: light to dark
const dark: MantineColorsTuple = [
  "#e6eaf0", "#c9d1dc", "#a3afc0", "#8793a5", "#4b5667", "#374151", "#262e39", "#1b212a", "#161b22", "#12161c",
];

const scrollingDropdown = { maxHeight: 260, overflowY: "auto" } as const;

export const theme = createTheme({
  primaryColor: "steward",
  primaryShade: { light: 7, dark: 6 },
  colors: { steward, dark },
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  headings: { fontFamily: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif', fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Badge: Badge.extend({ defaultProps: { tt: "none", fw: 600 } }),
    // What opens stays in its place in the document, so that it belongs to the part of the page that opened it.
    Combobox: Combobox.extend({ defaultProps: { withinPortal: false } }),
    Menu: Menu.extend({ defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } }),
    Popover: Popover.extend({ defaultProps: { withinPortal: false } }),
    // The list itself scrolls: a scrolling box around it would have to be reached by keyboard.
    Select: Select.extend({ defaultProps: { withScrollArea: false }, styles: { options: scrollingDropdown } }),
    MultiSelect: MultiSelect.extend({
      defaultProps: { withScrollArea: false },
      styles: { options: scrollingDropdown },
    }),
    // Hints stand below, so that inputs side by side are on one line.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    }),
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#566173",
    "--mantine-color-placeholder": "#66717f",
    "--mantine-color-error": "#b3261e",
    "--steward-ground": "#f4f5f7",
    "--steward-line": "#d6dbe3",
  },
  dark: {
    "--mantine-color-dimmed": "#a3afc0",
    "--mantine-color-placeholder": "#939eae",
    "--mantine-color-error": "#ff9c94",
    "--mantine-color-anchor": "#7fb2ff",
    "--steward-ground": "#12161c",
    "--steward-line": "#374151",
  },
});
