import type { CurrentAccount } from "../../api/current-account.ts";
import { rankMatch } from "../../base/match-text.ts";
import { isMessage, t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { buildSettingsPages, type SettingsPage } from "./settings-pages.ts";

/** A page, or a single setting on it: then `setting` is its name. */
export type FoundSetting = { page: SettingsPage; setting: string | null };

/** Synonyms that people search for ("colour" for the portal). */
const listSynonyms = ({ id, lead }: SettingsPage): string => {
  const key = `settings.${id}Words`;
  return isMessage(key) ? `${lead} ${t(key)}` : lead;
};

/** The names of the settings on a page. */
const listSettingNames = ({ finds: { fields = [], messages = [] } = {} }: SettingsPage): string[] => [
  ...fields.map(fieldLabel),
  ...messages.filter(isMessage).map((key) => t(key)),
];

/** Pages and single settings that match a text, best first. */
export function findSettings(here: CurrentAccount, text: string): FoundSetting[] {
  const ranked = buildSettingsPages(here).flatMap((page) => [
    // A page ranks before a setting with the same match.
    { found: { page, setting: null }, rank: rankMatch(text, page.label, listSynonyms(page)) * 2 + 1 },
    ...listSettingNames(page).map((setting) => ({
      found: { page, setting },
      rank: rankMatch(text, setting) * 2,
    })),
  ]);
  return ranked
    .filter(({ rank }) => rank > 1)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ found }) => found);
}
