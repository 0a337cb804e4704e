import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useLocation, useSearch } from "@tanstack/react-router";
import { type FormEvent, type RefObject, useEffect, useState } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { paths } from "../../paths.ts";

const typingDelay = 300; // milliseconds

/** Enter leads to what was found; on that page, typing on searches on. */
export function SearchBox({ input, onLeave }: { input: RefObject<HTMLInputElement | null>; onLeave(): void }) {
  const { account } = useCurrentAccount();
  const { pathname } = useLocation();
  const { q = "" } = useSearch({ strict: false }) as { q?: string };
  const here = pathname === paths.search(account.id);
  const asked = here ? q : "";
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);

  const search = (wanted: string, replace: boolean) => {
    const words = wanted.trim();
    if (words !== "" && words !== asked.trim()) navigateTo(paths.search(account.id, words), replace);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    if (!here || document.activeElement !== input.current) return;
    const timer = setTimeout(() => search(text, true), typingDelay);
    return () => clearTimeout(timer);
  }, [text]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Enter once more goes on to what was found.
    if (here && text.trim() === asked.trim()) document.querySelector<HTMLElement>(".found a")?.focus();
    search(text, false);
  };
  return (
    <search className="searchbox">
      <form onSubmit={submit}>
        <span className="search-field">
          <Icon of={IconSearch} />
          <input
            ref={input}
            type="search"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && onLeave()}
            onBlur={() => !here && text === "" && onLeave()}
            aria-label={t("search.label")}
            placeholder={t("search.placeholder")}
            maxLength={255}
          />
        </span>
      </form>
    </search>
  );
}
