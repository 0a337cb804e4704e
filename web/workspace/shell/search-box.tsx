import { Kbd, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useLocation, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { SearchIcon } from "../../parts/icons.tsx";
import { paths } from "../../paths.ts";

const typingDelay = 300; // milliseconds

/** In the header of every page. "/" leads here, Enter to what was found; there, typing on searches on. */
export function SearchBox() {
  const { account } = useCurrentAccount();
  const { pathname } = useLocation();
  const { q = "" } = useSearch({ strict: false }) as { q?: string };
  const here = pathname === paths.search(account.id);
  const asked = here ? q : "";
  const [text, setText] = useState(asked);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(asked), [asked]);
  useHotkeys([["/", () => input.current?.select()]]);

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
    search(text, false);
  };
  return (
    <search className="searchbox">
      <form onSubmit={submit}>
        <TextInput
          ref={input}
          type="search"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && input.current?.blur()}
          aria-label={t("search.label")}
          aria-keyshortcuts="/"
          placeholder={t("search.placeholder")}
          maxLength={255}
          leftSection={<SearchIcon size={16} />}
          rightSection={text === "" ? <Kbd size="xs">/</Kbd> : undefined}
        />
      </form>
    </search>
  );
}
