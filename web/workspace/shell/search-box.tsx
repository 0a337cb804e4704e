import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useLocation, useSearch } from "@tanstack/react-router";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";

const typingDelay = 300; // milliseconds

/** Enter opens the search results; on that page, typing updates them. */
export function SearchBox({ input, onLeave }: { input: RefObject<HTMLInputElement | null>; onLeave(): void }) {
  const { account } = useCurrentAccount();
  const { pathname } = useLocation();
  const { q = "" } = useSearch({ strict: false, select: (search: { q?: string }) => search });
  const here = pathname === paths.search(account.id);
  const searched = here ? q : "";
  const [text, setText] = useState(searched);
  useEffect(() => setText(searched), [searched]);

  const search = (wanted: string, replace: boolean) => {
    const words = wanted.trim();
    if (words !== "" && words !== searched.trim()) navigateTo(paths.search(account.id, words), replace);
  };
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    if (here) timer.current = setTimeout(() => search(typed, true), typingDelay);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    clearTimeout(timer.current);
    // Pressing Enter again moves to the first result.
    if (here && text.trim() === searched.trim()) document.querySelector<HTMLElement>(".found a")?.focus();
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
            onChange={(event) => type(event.currentTarget.value)}
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
