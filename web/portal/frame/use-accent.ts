import { useEffect } from "react";
import { useKeptPortal } from "../queries.ts";

const sheet = new CSSStyleSheet();

/** The account's color in both themes: as background of white text, and lighter or darker as text color. */
export function useAccent(): void {
  const { accent } = useKeptPortal().look;
  useEffect(() => {
    if (accent === undefined) return;
    sheet.replaceSync(
      `:root{--accent:${accent};--accent-text:color-mix(in srgb,${accent} 85%,black);--accent-soft:color-mix(in srgb,${accent} 10%,white)}` +
        `:root[data-mantine-color-scheme="dark"]{--accent:${accent};--accent-text:color-mix(in srgb,${accent} 35%,white);--accent-soft:color-mix(in srgb,${accent} 25%,#141a21)}`,
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((each) => each !== sheet), sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, [accent]);
}
