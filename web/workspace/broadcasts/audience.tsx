import { Group } from "@mantine/core";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { RemovablePill } from "../../elements/removable-pill.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel } from "../../languages/labels.ts";
import { choicesOf } from "../../languages/page-labels.ts";
import { broadcastQueries } from "../../queries/broadcasts.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { type BroadcastForm, buildAudienceBody, getList } from "./broadcast-form.ts";

type Props = {
  form: BroadcastForm;
  readOnly: boolean;
  error: string | undefined;
  onChange(part: Partial<BroadcastForm>): void;
};

/** The audience of a broadcast, and its number of people. */
export function AudienceField({ form, readOnly, error, onChange }: Props) {
  const list = getList(form.visibility);
  return (
    <>
      <Select
        label={t("broadcasts.shownTo")}
        data={choicesOf("broadcast.visibility").map((value) => ({
          value,
          label: choiceLabel("broadcast.visibility", value),
        }))}
        value={form.visibility}
        allowDeselect={false}
        readOnly={readOnly}
        error={error}
        onChange={(visibility) => {
          if (visibility === null) return;
          const stays = getList(visibility)?.field === list?.field;
          onChange({ visibility, ...(stays ? {} : { listed: [] }) });
        }}
      />
      {list !== null && (
        <>
          {form.listed.length > 0 && (
            <Group gap={6}>
              {form.listed.map((each) => (
                <RemovablePill
                  key={each.id}
                  name={getReferenceName(each)}
                  onRemove={() => onChange({ listed: form.listed.filter(({ id }) => id !== each.id) })}
                />
              ))}
            </Group>
          )}
          {!readOnly && (
            <ReferencePicker
              key={form.listed.length}
              aria-label={fieldLabel(list.field)}
              to={list.to}
              value={null}
              onChange={(added) =>
                added !== null &&
                !form.listed.some(({ id }) => id === added.id) &&
                onChange({ listed: [...form.listed, added] })
              }
            />
          )}
        </>
      )}
      {!readOnly && <AudienceCount form={form} />}
    </>
  );
}

/** Counted by the server with the same rule that decides who sees it, also before it is saved. */
function AudienceCount({ form }: { form: BroadcastForm }) {
  const { api } = useCurrentAccount();
  const [open, setOpen] = useState(false);
  const { data } = useQuery(broadcastQueries.audience(api, buildAudienceBody(form)));
  const count = data?.count ?? 0;
  return (
    <div className="audience">
      <div className="audience-count" role="status">
        <Icon of={IconUsers} />
        {data !== undefined && (
          <>
            <b>{t("broadcasts.people", { count })}</b>
            <span className="quiet">{t("broadcasts.online", { count: data.online })}</span>
          </>
        )}
        {count > 0 && (
          <button type="button" className="text-button" aria-expanded={open} onClick={() => setOpen((was) => !was)}>
            {t("broadcasts.who")}
          </button>
        )}
      </div>
      {open && data !== undefined && (
        <ul className="audience-sample">
          {data.sample.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {count > data.sample.length && (
            <li className="quiet">{t("broadcasts.andMore", { count: count - data.sample.length })}</li>
          )}
        </ul>
      )}
    </div>
  );
}
