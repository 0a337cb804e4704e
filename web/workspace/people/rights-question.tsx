import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleX from "@tabler/icons-react/dist/esm/icons/IconCircleX.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findType, typeGroups } from "../../base/record-types.ts";
import { Icon } from "../../elements/icon.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import type { Reference } from "../../queries/reference.ts";
import {
  joinWords,
  type RightName,
  type Rights,
  reasonSentence,
  rightNames,
  roleLabel,
  tieSentence,
  useRightsOn,
} from "./rights.ts";

const isRightName = (value: string | null): value is RightName => rightNames.some((name) => name === value);

/** "May Soren change this request, and why?" */
export function RightsQuestion({ person, name }: { person: number; name: string }) {
  const [right, setRight] = useState<RightName>("change");
  const [type, setType] = useState("request");
  const [record, setRecord] = useState<Reference | null>(null);
  const types = typeGroups.flatMap((group) => group.types);
  const on = record === null ? type : `${type}:${record.id}`;
  const { data, error } = useRightsOn(person, on);
  return (
    <section className="card rights-card" aria-label={t("rights.question")}>
      <h2 className="rights-title">{t("rights.may", { name })}</h2>
      <div className="rights-question">
        <Select
          aria-label={t("rights.what")}
          data={rightNames.map((value) => ({ value, label: t(`rights.do.${value}`) }))}
          value={right}
          onChange={(value) => isRightName(value) && setRight(value)}
          allowDeselect={false}
          w={130}
        />
        <Select
          aria-label={t("rights.type")}
          searchable
          data={types.map((each) => ({ value: each.name, label: collectionLabel(each) }))}
          value={type}
          onChange={(value) => {
            if (value === null) return;
            setType(value);
            setRecord(null);
          }}
          allowDeselect={false}
          w={210}
        />
        {right !== "create" && findType(type) !== undefined && (
          <div className="rights-record">
            <ReferencePicker key={type} to={type} value={record} onChange={setRecord} aria-label={t("rights.record")} />
          </div>
        )}
      </div>
      {/* The answer changes with every choice, so screen readers announce it. */}
      <div role="status" aria-live="polite">
        {error !== null ? (
          <ErrorMessage error={error} />
        ) : (
          data !== undefined && <Answer rights={data} right={right} name={name} />
        )}
      </div>
    </section>
  );
}

function Answer({ rights, right, name }: { rights: Rights; right: RightName; name: string }) {
  const { account } = useCurrentAccount();
  const { allowed, extent, because, fields, needs } = rights[right];
  const type = rights.on.type;
  const label = (list: readonly string[]) => joinWords(list.map(fieldLabel));
  if (!allowed)
    return (
      <p className="rights-answer">
        <Icon of={IconCircleX} color="var(--red-solid)" />
        <strong data-tone="red">{t("rights.no")}</strong>
        <span>
          {rights.barred === null
            ? needs.length === 0
              ? t("rights.nobody")
              : t("rights.needsOne", { roles: joinWords(needs.map(roleLabel), "disjunction") })
            : t(`rights.barred.${rights.barred}`, { name })}
        </span>
      </p>
    );
  const isOfRecord = rights.on.id !== undefined;
  // If one role grants the permission without conditions, partial grants by others need no explanation.
  const unconditional = because.filter((reason) => reason.condition.length === 0 && reason.fields === null);
  const decisive = unconditional.length > 0 ? unconditional : because;
  const sentences = [...new Set(decisive.map((reason) => reasonSentence(reason, type, account.id)))];
  return (
    <>
      <p className="rights-answer">
        <Icon of={IconCircleCheck} color="var(--green-solid)" />
        <strong data-tone={extent === "all" ? "green" : "yellow"}>
          {extent === "all" ? t("rights.yes") : t("rights.sometimes")}
        </strong>
        <span>{sentences.join(" ")}</span>
      </p>
      {isOfRecord && rights.ties.length > 0 && (
        <p className="rights-answer rights-more">
          <span>{rights.ties.map((tie) => tieSentence(tie, name)).join(" ")}</span>
        </p>
      )}
      {(right === "change" || right === "create") && (fields !== null || rights.not_fields.length > 0) && (
        <p className="rights-answer">
          <Icon of={IconLock} />
          <span>
            {fields === null
              ? t("rights.notFields", { fields: label(rights.not_fields) })
              : t("rights.onlyFields", { fields: label(fields) })}
          </span>
        </p>
      )}
    </>
  );
}
