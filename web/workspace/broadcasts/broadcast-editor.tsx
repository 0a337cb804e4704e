import IconBellPlus from "@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActionContext } from "../../actions/context.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { languageName } from "../../languages/spoken-languages.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LeaveGuard } from "../../parts/forms/leave-guard.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { BannerLine } from "./banner-line.tsx";
import { type BroadcastForm, buildForm, getState, type Translation } from "./broadcast-form.ts";
import { BroadcastSide } from "./broadcast-side.tsx";
import { MessageRows } from "./message-rows.tsx";
import { SeenBy } from "./seen-by.tsx";
import { StateChip } from "./state-chip.tsx";
import { useBroadcastChanges } from "./use-broadcast-changes.ts";

type Props = {
  type: RecordType;
  row: Row | null;
  translations: readonly Translation[];
  /** the account's locale: the language of the original */
  locale: string;
};

const views = ["portal", "specialists", "phone"] as const;

/** The preview at the top, the text in the middle, audience and time at the side. */
export function BroadcastEditor({ type, row, translations, locale }: Props) {
  const { account, who, may } = useCurrentAccount();
  const now = useNow();
  const defaults = { locale, time_zone: who.person.time_zone };
  // When another person saves the broadcast, values typed here are kept and the others are updated.
  const draftKey = `form/broadcast/${row?.id ?? "new"}`;
  const { values: form, change, draft } = useFormDraft(draftKey, buildForm(row, translations, defaults));
  const [language, setLanguage] = useState(locale);
  const dirty = useRef(false);
  dirty.current = !draft.isEmpty;
  const readOnly = !may(row === null ? "create" : "update", type);

  const { saving, switching } = useBroadcastChanges({
    ...{ type, row, form, translations, locale },
    onSaved() {
      draft.remove();
      dirty.current = false;
    },
  });

  const error = (name: string) => getFieldError(saving.error, name);
  const name = (form.messages[locale] ?? "").split(/[.!?]/)[0]?.trim() || t("broadcasts.new");
  const state = row === null ? null : getState(row, now);
  const save = {
    id: "broadcast.save",
    name: t("form.save"),
    group: "record" as const,
    keys: "mod+s",
    icon: IconDeviceFloppy,
    when: !readOnly,
    run: () => saving.mutate(),
  };
  const end = {
    id: "broadcast.end",
    name: state === "planned" ? t("broadcasts.callOff") : t("broadcasts.endNow"),
    group: "record" as const,
    icon: IconPlayerStop,
    when: !readOnly && (state === "shown" || state === "planned"),
    run: () => switching.mutate(true),
  };
  const showAgain = {
    id: "broadcast.again",
    name: t("broadcasts.showAgain"),
    group: "record" as const,
    icon: IconPlayerPlay,
    when: !readOnly && row?.disabled === true,
    run: () => switching.mutate(false),
  };
  useActions([save, end, showAgain]);
  useActionContext(row === null ? null : name);

  return (
    <div className="page broadcast-page">
      <PageBar
        title={name}
        trail={[{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
        actions={
          <>
            {row !== null && !readOnly && <SeenBy id={row.id} />}
            <ActionButton action={end} loading={switching.isPending} />
            <ActionButton action={showAgain} loading={switching.isPending} />
            <ActionButton action={save} primary loading={saving.isPending} />
          </>
        }
      >
        {row !== null && <StateChip row={row} />}
      </PageBar>
      <div className="page-body broadcast-body">
        <Preview form={form} language={language} locale={locale} />
        <section className="broadcast-messages" aria-labelledby="broadcast-messages">
          <div className="section-head">
            <h2 id="broadcast-messages">{t("broadcasts.messages")}</h2>
            <span className="quiet">{t("broadcasts.firstLanguage")}</span>
          </div>
          <MessageRows
            own={locale}
            messages={form.messages}
            translations={translations}
            readOnly={readOnly}
            error={error("message")}
            onChange={(each, text) => change((before) => ({ messages: { ...before.messages, [each]: text } }))}
            onFocus={setLanguage}
          />
        </section>
        <BroadcastSide form={form} readOnly={readOnly} error={error} onChange={change} />
      </div>
      <LeaveGuard dirty={dirty} onLeave={draft.remove} />
    </div>
  );
}

type PreviewProps = { form: BroadcastForm; language: string; locale: string };

/** The preview, in the language being edited. */
function Preview({ form, language, locale }: PreviewProps) {
  const [view, setView] = useState<(typeof views)[number]>("portal");
  const message = form.messages[language]?.trim() || form.messages[locale] || "";
  return (
    <section className="broadcast-preview" aria-label={t("broadcasts.preview")}>
      <div className="broadcast-views">
        <b id="broadcast-views">{t("broadcasts.preview")}</b>
        {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, named by the text before it */}
        <div className="switch" role="group" aria-labelledby="broadcast-views">
          {views.map((each) => (
            <button key={each} type="button" aria-pressed={view === each} onClick={() => setView(each)}>
              {t(`broadcasts.view.${each}`)}
            </button>
          ))}
        </div>
        {language !== locale && <span className="quiet">{languageName(language)}</span>}
      </div>
      <div className="broadcast-frame" data-view={view} lang={language}>
        <BannerLine kind={form.message_type} message={message === "" ? "…" : message}>
          {form.request !== null && (
            <span className="broadcast-action">
              {t("broadcast.tellMe")} <Icon of={IconBellPlus} />
            </span>
          )}
        </BannerLine>
      </div>
    </section>
  );
}
