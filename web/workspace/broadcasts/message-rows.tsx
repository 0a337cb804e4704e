import { Textarea } from "@mantine/core";
import { t } from "../../languages/index.ts";
import { languageName, listLocales } from "../../languages/spoken-languages.ts";
import type { Translation } from "./broadcast-form.ts";

type Props = {
  /** the account's locale, whose text is the message itself */
  own: string;
  messages: Readonly<Record<string, string>>;
  translations: readonly Translation[];
  readOnly: boolean;
  error: string | undefined;
  onChange(locale: string, text: string): void;
  onFocus(locale: string): void;
};

/** The message in all languages, one below the other, each with its state. */
export function MessageRows({ own, messages, translations, readOnly, error, onChange, onFocus }: Props) {
  const original = translations.find(({ locale }) => locale === own);
  const stateOf = (locale: string): [tone: string, text: string] => {
    if (locale === own) return ["green", t("broadcasts.original")];
    const saved = translations.find((each) => each.locale === locale);
    if (saved === undefined) return ["grey", t("broadcasts.notTranslated")];
    const isOlder = original !== undefined && Date.parse(saved.updated_at) < Date.parse(original.updated_at);
    return isOlder ? ["orange", t("broadcasts.older")] : ["green", t("broadcasts.upToDate")];
  };
  return (
    <div className="message-rows">
      {listLocales(
        own,
        translations.map(({ locale }) => locale),
      ).map((locale) => {
        const [tone, state] = stateOf(locale);
        const name = languageName(locale);
        return (
          <div className="message-row" key={locale}>
            <div>
              <div className="message-language" lang={locale}>
                {name}
              </div>
              <div className="message-state" data-tone={tone}>
                {state}
              </div>
            </div>
            <Textarea
              aria-label={t("broadcasts.messageIn", { language: name })}
              lang={locale}
              autosize
              minRows={2}
              maxRows={8}
              readOnly={readOnly}
              required={locale === own}
              value={messages[locale] ?? ""}
              placeholder={locale === own ? "" : t("broadcasts.fallback", { language: name, own: languageName(own) })}
              error={locale === own ? error : undefined}
              onChange={(event) => onChange(locale, event.currentTarget.value)}
              onFocus={() => onFocus(locale)}
            />
          </div>
        );
      })}
    </div>
  );
}
