import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import { keptApi, recordsApi } from "../api/index.ts";
import type { WhoAmI } from "../api/session.ts";
import { setTimeFormat } from "../base/formats.ts";
import { setReaderTime } from "../base/moments.ts";
import { applyPreferences, type Preferences, setPreferencesWriter } from "../base/preferences.ts";
import { showError } from "../elements/toast.tsx";
import { loadLanguage } from "../languages/index.ts";
import { loadLabels } from "../languages/labels.ts";

/** Loads and applies the reader's language, time format and preferences; returns the values that a page depends on. */
async function prepareReader(person: WhoAmI["person"]): Promise<string> {
  const kept = keptApi(person.account);
  const [me, [preferences]] = await Promise.all([
    recordsApi(person.account).get<{ time_format_24h?: boolean }>("/me"),
    // Preferences aren't worth an error page: without a response, those of this browser apply.
    kept.list<Partial<Preferences>>("preference").then(
      (items) => items.filter(({ key, owner }) => key === "interface" && owner === "me"),
      () => [],
    ),
    loadLanguage(person.locale),
    loadLabels(person.locale),
  ]);
  if (preferences !== undefined) applyPreferences(preferences.value);
  setPreferencesWriter((chosen) => void kept.put("preference", "interface", chosen).catch(showError));
  const hours24 = me.time_format_24h !== false;
  setTimeFormat(hours24);
  setReaderTime(person.iana_zone, hours24);
  return `${person.locale} ${person.time_zone} ${hours24}`;
}

export const readerQueries = {
  /** Depends on no account and on no record. Undefined: the person isn't loaded yet. */
  language: (person: WhoAmI["person"] | undefined) =>
    queryOptions({
      queryKey: ["language", person?.locale, person?.time_zone],
      queryFn: person === undefined ? skipToken : () => prepareReader(person),
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
      // Returning to an earlier language loads its texts again, because they aren't part of the response.
      gcTime: 0,
    }),
};
