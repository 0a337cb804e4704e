import IconBook2 from "@tabler/icons-react/dist/esm/icons/IconBook2.mjs";
import IconForms from "@tabler/icons-react/dist/esm/icons/IconForms.mjs";
import IconMessage from "@tabler/icons-react/dist/esm/icons/IconMessage.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState, useSyncExternalStore } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { portalArticleQueries } from "../../queries/portal/articles.ts";
import { type Addresses, useAddresses } from "../addresses.ts";
import { navigateTo } from "../router.tsx";
import { t, type Word } from "../words.ts";

const typingPause = 120; // milliseconds

const narrow = matchMedia("(max-width: 48em)");
const watchWidth = (listener: () => void): (() => void) => {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
};

export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Articles, forms and own requests that match a text. */
export function useFindings(text: string) {
  const { api } = useCurrentAccount();
  const settled = useSettled(text.trim());
  return useQuery({ ...portalArticleQueries.findings(api, settled), enabled: settled.length > 2 });
}

type Option = { key: string; group: Word; label: string; to: string; icon: IconComponent };

function buildOptions(data: ReturnType<typeof useFindings>["data"], at: Addresses, text: string): Option[] {
  const take = (
    rows: readonly { id: number; subject?: string | null }[] | undefined,
    group: Word,
    icon: IconComponent,
    to: (id: number) => string,
    most: number,
  ): Option[] =>
    (rows ?? []).slice(0, most).map((row) => ({
      key: `${group}${row.id}`,
      group,
      label: row.subject ?? "",
      to: to(row.id),
      icon,
    }));
  return [
    ...take(data?.articles, "search.articles", IconBook2, at.article, 4),
    ...take(data?.templates, "search.forms", IconForms, (id) => at.form(id, text), 3),
    ...take(data?.similar, "search.requests", IconMessage, at.request, 2),
    { key: "none", group: "search.none", label: t("search.noneHelps"), to: at.newRequest(text), icon: IconMessage },
  ];
}

/** The first element of the page: suggests help while the person types, and always ends with a way to ask the desk. */
export function SearchBox({ initial = "", autoFocus = false }: { initial?: string; autoFocus?: boolean }) {
  const at = useAddresses();
  const id = useId();
  const [text, setText] = useState(initial);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const { data } = useFindings(text);
  const isNarrow = useSyncExternalStore(watchWidth, () => narrow.matches);
  const wanted = text.trim();
  const options = wanted.length > 2 ? buildOptions(data, at, wanted) : [];
  const isOpen = open && options.length > 0 && data !== undefined;
  const go = (to: string) => {
    setOpen(false);
    navigateTo(to);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = isOpen ? options[active] : undefined;
    if (chosen !== undefined) go(chosen.to);
    else if (wanted !== "") go(at.search(wanted));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setOpen(false);
    else if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((was) => (was + step + options.length + (was < 0 && step < 0 ? 1 : 0)) % options.length);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to all browsers
    <form className="search" role="search" onSubmit={onSubmit}>
      <Icon of={IconSearch} size={22} />
      <input
        type="search"
        value={text}
        // biome-ignore lint/a11y/noAutofocus: a page of search results begins with what was searched
        autoFocus={autoFocus}
        placeholder={isNarrow ? t("search.placeholderShort") : t("search.placeholder")}
        aria-label={t("search.label")}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="button primary">
        {t("search.button")}
      </button>
      {isOpen && (
        <div className="findings" id={id} role="listbox" aria-label={t("search.results")}>
          {options.map((option, index) => (
            <div key={option.key} role="presentation">
              {option.group !== options[index - 1]?.group && option.group !== "search.none" && (
                <p className="findings-head" role="presentation">
                  {t(option.group)}
                </p>
              )}
              {/* biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus */}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys */}
              <div
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                className={option.group === "search.none" ? "finding finding-none" : "finding"}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => go(option.to)}
              >
                <Icon of={option.icon} size={18} /> {option.label}
              </div>
            </div>
          ))}
        </div>
      )}
    </form>
  );
}
