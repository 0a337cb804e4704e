import { Switch } from "@mantine/core";
import { t } from "../../languages/index.ts";
import type { BroadcastForm } from "./broadcast-form.ts";

type Props = { form: BroadcastForm; readOnly: boolean; onChange(part: Partial<BroadcastForm>): void };

/** The options for when the broadcast's request is completed. */
export function FollowsByItself({ form, readOnly, onChange }: Props) {
  const isOff = readOnly || form.request === null;
  return (
    <fieldset className="plain-fieldset broadcast-follows">
      <legend>{t("broadcasts.byItself")}</legend>
      <Switch
        label={t("broadcasts.endWithRequest")}
        description={form.request === null ? t("broadcasts.needsRequest") : undefined}
        checked={form.request !== null && form.end_on_completion}
        disabled={isOff}
        onChange={(event) => onChange({ end_on_completion: event.currentTarget.checked })}
      />
      <Switch
        label={t("broadcasts.showSolved")}
        checked={form.request !== null && form.end_on_completion && form.show_as_solved}
        disabled={isOff || !form.end_on_completion}
        onChange={(event) => onChange({ show_as_solved: event.currentTarget.checked })}
      />
    </fieldset>
  );
}
