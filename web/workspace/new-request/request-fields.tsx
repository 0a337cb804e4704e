import { TextInput } from "@mantine/core";
import { type RefObject, Suspense } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { errorText } from "../../elements/error-text.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { t } from "../../languages/index.ts";
import { furtherFields } from "./build-body.ts";
import { DetailsBox } from "./details-box.tsx";
import { FurtherField, ServiceSelect } from "./inputs.tsx";
import { PersonSelect } from "./person-select.tsx";
import { pickTemplates, TemplateChips } from "./template-chips.tsx";
import type { NewRequest } from "./use-new-request.tsx";
import { WillBecome } from "./will-become.tsx";

const TemplateFields = lazyPart(async () => (await import("./template-fields.tsx")).default);

type Props = { form: NewRequest; templateInput: RefObject<HTMLInputElement | null> };

/** The inputs of the dialog: person, subject and service, then the details, and the template's form. */
export function RequestFields({ form, templateInput }: Props) {
  const { state, set, draft, files, suggestions, refusal } = form;
  return (
    <div className="new-request-form">
      <FirstFields form={form} />
      <DetailsBox
        value={state.details}
        error={refusal.errors.get("note")}
        files={files}
        onChange={(text) => set({ details: text })}
        onMention={({ words, mark }) => draft.set((was) => ({ mentions: { ...was.mentions, [words]: mark } }))}
        onSend={() => void form.create(false)}
      />
      <TemplateChips
        inputRef={templateInput}
        templates={pickTemplates(suggestions?.templates ?? [], state.template)}
        chosen={state.template}
        error={refusal.errors.get("template")}
        onChange={(template) => set({ template })}
      />
      {form.fields.length > 0 && (
        <Suspense>
          <TemplateFields
            title={form.formTitle}
            fields={form.fields}
            values={state.custom}
            errors={refusal.errors}
            files={form.fieldFiles}
            onChange={(id, value) => set(({ custom }) => ({ custom: { ...custom, [id]: value } }))}
          />
        </Suspense>
      )}
      <FurtherFields form={form} />
      {refusal.failure !== null && (
        <p className="form-error" role="alert">
          {errorText(refusal.failure)}
        </p>
      )}
    </div>
  );
}

function FirstFields({ form: { state, set, suggestions, refusal, mayChooseOther } }: { form: NewRequest }) {
  const { who } = useCurrentAccount();
  return (
    <div className="new-request-fields">
      <PersonSelect
        label={t("newRequest.for")}
        description={mayChooseOther ? undefined : t("newRequest.forFixed")}
        disabled={!mayChooseOther}
        placeholder={who.person.name}
        value={state.requested_for}
        error={refusal.errors.get("requested_for")}
        onChange={(requested_for) => set({ requested_for })}
      />
      <TextInput
        className="new-request-about"
        label={t("newRequest.about")}
        withAsterisk
        {...(mayChooseOther ? {} : { "data-autofocus": true })}
        data-field="subject"
        maxLength={255}
        value={state.subject}
        error={refusal.errors.get("subject")}
        onChange={(event) => set({ subject: event.currentTarget.value })}
      />
      <ServiceSelect
        state={state}
        error={refusal.errors.get("service_instance")}
        suggested={!state.serviceIsChosen && state.service_instance !== null}
        options={suggestions?.services ?? []}
        onChange={(service_instance) => set({ service_instance, serviceIsChosen: service_instance !== null })}
      />
    </div>
  );
}

/** A preview of the request, and the fields that change it. */
function FurtherFields({ form }: { form: NewRequest }) {
  const { state, set, outcome, refusal, showsFurther, setShowsFurther } = form;
  return (
    <>
      <WillBecome record={outcome} open={showsFurther} onOpen={() => setShowsFurther((was) => !was)} />
      {showsFurther && (
        <div className="new-request-pair">
          {furtherFields.map((name) => (
            <FurtherField
              key={name}
              name={name}
              value={state.more[name] ?? null}
              derived={outcome}
              error={refusal.errors.get(name)}
              onChange={(value) => set((was) => ({ more: { ...was.more, [name]: value } }))}
            />
          ))}
        </div>
      )}
    </>
  );
}
