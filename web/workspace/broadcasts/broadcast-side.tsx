import { Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { broadcastQueries } from "../../queries/broadcasts.ts";
import { useEnumeration } from "../../queries/index.ts";
import { toCount } from "../../queries/total.ts";
import { AudienceField } from "./audience.tsx";
import type { BroadcastForm } from "./broadcast-form.ts";
import { FollowsByItself } from "./follows-by-itself.tsx";
import { getLook, messageTypes } from "./message-types.ts";

type PartProps = { form: BroadcastForm; readOnly: boolean; onChange(part: Partial<BroadcastForm>): void };
type Props = PartProps & { error(name: string): string | undefined };

/** The kind, audience and time of a broadcast, and its request. */
export function BroadcastSide({ form, readOnly, error, onChange }: Props) {
  return (
    <aside className="broadcast-side" aria-label={t("broadcasts.settings")}>
      <Kinds form={form} readOnly={readOnly} onChange={onChange} />
      <AudienceField form={form} readOnly={readOnly} error={error("visibility")} onChange={onChange} />
      <Period form={form} readOnly={readOnly} error={error} onChange={onChange} />
      <div>
        <ReferencePicker
          label={t("broadcasts.follow")}
          description={t("broadcasts.followHint")}
          to="request"
          value={form.request}
          error={error("request")}
          onChange={(request) => onChange({ request })}
        />
        {form.request !== null && <Followers request={form.request.id} />}
      </div>
      <FollowsByItself form={form} readOnly={readOnly} onChange={onChange} />
      <Textarea
        label={fieldLabel("remarks")}
        autosize
        minRows={2}
        maxRows={8}
        readOnly={readOnly}
        value={form.remarks}
        onChange={(event) => onChange({ remarks: event.currentTarget.value })}
      />
    </aside>
  );
}

const Kinds = ({ form, readOnly, onChange }: PartProps) => (
  <fieldset className="plain-fieldset">
    <legend>{t("broadcasts.kind")}</legend>
    <div className="kinds">
      {messageTypes.map((kind) => {
        const { tone, icon, word } = getLook(kind);
        return (
          <label key={kind} className="kind" data-tone={tone}>
            <input
              type="radio"
              name="message_type"
              checked={form.message_type === kind}
              disabled={readOnly}
              onChange={() => onChange({ message_type: kind })}
            />
            <Icon of={icon} /> {t(word)}
          </label>
        );
      })}
    </div>
  </fieldset>
);

function Period({ form, readOnly, error, onChange }: Props) {
  const zones = useEnumeration("time_zone");
  return (
    <>
      <div className="two-fields">
        <TextInput
          type="datetime-local"
          label={t("broadcasts.from")}
          description={form.start_at === "" ? t("broadcasts.atOnce") : undefined}
          value={form.start_at}
          readOnly={readOnly}
          error={error("start_at")}
          onChange={(event) => onChange({ start_at: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={t("broadcasts.until")}
          description={form.end_at === "" ? t("broadcasts.iEndIt") : undefined}
          value={form.end_at}
          readOnly={readOnly}
          error={error("end_at")}
          onChange={(event) => onChange({ end_at: event.currentTarget.value })}
        />
      </div>
      <Select
        label={t("broadcasts.zone")}
        searchable
        allowDeselect={false}
        limit={100}
        readOnly={readOnly}
        data={zones.length === 0 ? [form.time_zone] : zones}
        value={form.time_zone}
        onChange={(zone) => zone !== null && onChange({ time_zone: zone })}
      />
    </>
  );
}

/** The number of other people's requests in the request's group. */
function Followers({ request }: { request: number | string }) {
  const { api } = useCurrentAccount();
  const { data } = useQuery(broadcastQueries.followers(api, request));
  if (data === undefined) return null;
  return <p className="quiet small">{t("broadcasts.followers", { count: toCount(data) })}</p>;
}
