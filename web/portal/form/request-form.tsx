import { useId } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Device } from "../../queries/portal/forms.ts";
import { useAddresses } from "../addresses.ts";
import { pickTile, tiles } from "../home/tiles.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { t } from "../words.ts";
import {
  DetailsField,
  DeviceField,
  ExtensionFields,
  FormFacts,
  FormFoot,
  FormHead,
  FrameOfForm,
  SubjectField,
} from "./form-sections.tsx";
import { Quicker, WhatHappens } from "./form-side.tsx";
import { PersonChoice } from "./person-choice.tsx";
import { type FormSubject, formatPerson, own, parsePerson } from "./request-values.ts";
import { type RequestFormState, useRequestForm } from "./use-request-form.ts";

type Props = FormSubject & { devices: readonly Device[] };

/** At most six fields; further ones are behind "More details". Input is kept until the form is sent. */
export function RequestForm({ devices, ...subject }: Props) {
  const { form, device } = subject;
  const { who, account } = useCurrentAccount();
  const at = useAddresses();
  const mayAskForOthers = account.roles.length > 0;
  const state = useRequestForm(subject, { people: mayAskForOthers, devices: devices.length > 0 });
  const id = useId();
  const template = form?.template ?? null;
  const title =
    template?.localized_subject ?? template?.subject ?? (device === null ? t("form.free") : t("form.deviceTitle"));
  const tile = template === null ? undefined : tiles.find(({ key }) => key === pickTile(template));
  const isBroken = template === null || template.category === "incident";
  const searched = joinTexts(state);
  const way = [
    { label: t("nav.home"), to: at.home },
    ...(tile === undefined ? [] : [{ label: t(tile.title), to: at.catalogue(tile.key) }]),
  ];
  return (
    <div className="form-page">
      <Crumbs way={way} here={title} />
      <div className="form-columns">
        <form className="panel form" ref={state.element} onSubmit={state.onSubmit} noValidate>
          <FormHead form={form} title={title} tile={tile} />
          <FormFacts {...subject} />
          {mayAskForOthers && (
            <PersonChoice
              value={parsePerson(state.values[own.person])}
              onChange={(chosen) => state.setValue(own.person, formatPerson(chosen))}
            />
          )}
          {template === null && <SubjectField state={state} id={id} />}
          {devices.length > 0 && <DeviceField state={state} id={id} devices={devices} />}
          <FrameOfForm state={state} form={form} />
          {form?.title != null && state.fields.length > 0 && <h2 className="form-heading">{form.title}</h2>}
          <ExtensionFields state={state} late={false} />
          {state.hasNote && <DetailsField state={state} id={id} isFree={template === null} />}
          {state.late.size > 0 && (
            <details className="more" open={state.more} onToggle={(event) => state.setMore(event.currentTarget.open)}>
              <summary>{t("form.more")}</summary>
              <ExtensionFields state={state} late />
            </details>
          )}
          <FormFoot state={state} />
        </form>
        <aside className="form-side" aria-label={t("form.aside")}>
          <Quicker
            text={searched === "" && isBroken ? title : searched}
            isBroken={isBroken}
            onSolved={state.onSolved}
          />
          <WhatHappens form={form} />
          <p className="quiet small form-me">{t("form.signedAs", { name: who.person.name })}</p>
        </aside>
      </div>
    </div>
  );
}

/** The person's text so far, to find articles that may help. */
const joinTexts = ({ values, inputs }: RequestFormState): string =>
  [own.subject, own.details, ...inputs.filter(({ kind }) => kind === "text").map(({ id }) => id)]
    .map((name) => values[name] ?? "")
    .join(" ")
    .trim();
