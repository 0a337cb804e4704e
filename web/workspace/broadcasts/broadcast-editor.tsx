import { Textarea, TextInput } from "@mantine/core";
import IconBellPlus from "@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActionContext } from "../../actions/context.ts";
import { useActions } from "../../actions/registry.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { languageName } from "../../languages/spoken-languages.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LeaveGuard } from "../../parts/forms/leave-guard.tsx";
import { ReferencePicker } from "../../parts/forms/reference-picker.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toCount } from "../../parts/lists/total.ts";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { useEnumeration } from "../../queries/index.ts";
import { AudienceField } from "./audience.tsx";
import { BannerLine } from "./banner-line.tsx";
import { buildBody, buildForm, changedTranslations, stateOf, type Translation } from "./broadcast-form.ts";
import { FollowsByItself } from "./follows-by-itself.tsx";
import { MessageRows } from "./message-rows.tsx";
import { lookOf, messageTypes } from "./message-types.ts";
import { SeenBy } from "./seen-by.tsx";
import { StateChip } from "./state-chip.tsx";

type Props = {
  type: RecordType;
  row: Row | null;
  translations: readonly Translation[];
  /** of the account: the language of the original */
  locale: string;
};

const views = ["portal", "specialists", "phone"] as const;

/** How people see it above, what it says in the middle, whom and when at the side. */
export function BroadcastEditor({ type, row, translations, locale }: Props) {
  const { account, who, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const now = useNow();
  const defaults = { locale, time_zone: who.person.time_zone };
  // Somebody else saved it: what is written here stays, what was not touched follows.
  const draftKey = `form/broadcast/${row?.id ?? "new"}`;
  const { values: form, change, draft } = useFormDraft(draftKey, buildForm(row, translations, defaults));
  const [view, setView] = useState<(typeof views)[number]>("portal");
  const [language, setLanguage] = useState(locale);
  const dirty = useRef(false);
  dirty.current = !draft.isEmpty;
  const zones = useEnumeration("time_zone");
  const readOnly = !may(row === null ? "create" : "update", type);

  const saving = useMutation({
    mutationFn: async () => {
      const body = buildBody(form, locale);
      const saved = await (row === null ? api.create("/broadcasts", body) : api.change(`/broadcasts/${row.id}`, body));
      for (const { locale: each, text, saved: old } of changedTranslations(form, translations, locale)) {
        const path = `/broadcasts/${saved.id}/translations`;
        if (old === undefined) await api.create(path, { locale: each, message: text });
        else if (text === "") await api.remove(`${path}/${old.id}`);
        else await api.change(`${path}/${old.id}`, { message: text });
      }
      return saved;
    },
    onSuccess: async (saved) => {
      draft.remove();
      dirty.current = false;
      showMessage(t("record.saved"));
      await queries.invalidateQueries({ queryKey: [account.id] });
      if (row === null) navigateTo(paths.record(account.id, type, saved.id), true);
    },
    onError: (error) => {
      if (!["message", "visibility", "start_at", "end_at", "request"].some((name) => getFieldError(error, name)))
        showError(error);
    },
  });
  const switching = useMutation({
    mutationFn: (disabled: boolean) => api.change(`/broadcasts/${row?.id}`, { disabled }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [account.id] }),
    onError: showError,
  });

  const error = (name: string) => getFieldError(saving.error, name);
  const message = form.messages[language]?.trim() || form.messages[locale] || "";
  const name = (form.messages[locale] ?? "").split(/[.!?]/)[0]?.trim() || t("broadcasts.new");
  const state = row === null ? null : stateOf(row, now);
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
  const again = {
    id: "broadcast.again",
    name: t("broadcasts.showAgain"),
    group: "record" as const,
    icon: IconPlayerPlay,
    when: !readOnly && row?.disabled === true,
    run: () => switching.mutate(false),
  };
  useActions([save, end, again]);
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
            <ActionButton action={again} loading={switching.isPending} />
            <ActionButton action={save} primary loading={saving.isPending} />
          </>
        }
      >
        {row !== null && <StateChip row={row} />}
      </PageBar>
      <div className="page-body broadcast-body">
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
        <aside className="broadcast-side" aria-label={t("broadcasts.settings")}>
          <fieldset className="plain-fieldset">
            <legend>{t("broadcasts.kind")}</legend>
            <div className="kinds">
              {messageTypes.map((kind) => {
                const { tone, icon, word } = lookOf(kind);
                return (
                  <label key={kind} className="kind" data-tone={tone}>
                    <input
                      type="radio"
                      name="message_type"
                      checked={form.message_type === kind}
                      disabled={readOnly}
                      onChange={() => change({ message_type: kind })}
                    />
                    <Icon of={icon} /> {t(word)}
                  </label>
                );
              })}
            </div>
          </fieldset>
          <AudienceField form={form} readOnly={readOnly} error={error("visibility")} onChange={change} />
          <div className="two-fields">
            <TextInput
              type="datetime-local"
              label={t("broadcasts.from")}
              description={form.start_at === "" ? t("broadcasts.atOnce") : undefined}
              value={form.start_at}
              readOnly={readOnly}
              error={error("start_at")}
              onChange={(event) => change({ start_at: event.currentTarget.value })}
            />
            <TextInput
              type="datetime-local"
              label={t("broadcasts.until")}
              description={form.end_at === "" ? t("broadcasts.iEndIt") : undefined}
              value={form.end_at}
              readOnly={readOnly}
              error={error("end_at")}
              onChange={(event) => change({ end_at: event.currentTarget.value })}
            />
          </div>
          <Select
            label={t("broadcasts.zone")}
            searchable
            allowDeselect={false}
            limit={100}
            readOnly={readOnly}
            data={zones.length === 0 ? [form.time_zone] : zones.map(({ id, txt }) => ({ value: id, label: txt }))}
            value={form.time_zone}
            onChange={(zone) => zone !== null && change({ time_zone: zone })}
          />
          <div>
            <ReferencePicker
              label={t("broadcasts.follow")}
              description={t("broadcasts.followHint")}
              to="request"
              value={form.request}
              error={error("request")}
              onChange={(request) => change({ request })}
            />
            {form.request !== null && <Followers request={form.request.id} />}
          </div>
          <FollowsByItself form={form} readOnly={readOnly} onChange={change} />
          <Textarea
            label={fieldLabel("remarks")}
            autosize
            minRows={2}
            maxRows={8}
            readOnly={readOnly}
            value={form.remarks}
            onChange={(event) => change({ remarks: event.currentTarget.value })}
          />
        </aside>
      </div>
      <LeaveGuard dirty={dirty} onLeave={draft.remove} />
    </div>
  );
}

/** How many have a request of their own in the group. */
function Followers({ request }: { request: number | string }) {
  const { account, api } = useCurrentAccount();
  const path = `/requests/${request}/grouped_requests`;
  const { data } = useQuery({
    queryKey: [account.id, "list", path, "count"],
    queryFn: () => api.list(path, { per_page: "1" }),
  });
  if (data === undefined) return null;
  return <p className="quiet small">{t("broadcasts.followers", { count: toCount(data) })}</p>;
}
