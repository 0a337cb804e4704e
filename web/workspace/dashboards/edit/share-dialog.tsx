import { Button, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useFormDraft } from "../../../drafts/use-form-draft.ts";
import { errorText } from "../../../elements/error-text.ts";
import { t } from "../../../languages/index.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { useOwnTeams } from "../../../queries/own-teams.ts";

type Props = {
  /** the draft's key until the dashboard is saved */
  draftKey: string;
  heading: string;
  /** null: the name isn't changed */
  name: string | null;
  owner: string;
  onSave(name: string, owner: string): Promise<void>;
  onClose(): void;
};

/** The audience of a dashboard, and the name of a copy. */
export default function ShareDialog({ draftKey, heading, name: suggestion, owner: given, onSave, onClose }: Props) {
  const { values, change, draft } = useFormDraft(draftKey, { name: suggestion ?? "", owner: given });
  const { name, owner } = values;
  const [failure, setFailure] = useState<string | undefined>();
  const [saving, setSaving] = useState(false);
  const teams = useOwnTeams(true);
  const submit = async () => {
    if (suggestion !== null && name.trim() === "") return;
    setSaving(true);
    try {
      await onSave(name.trim(), owner);
      draft.remove();
    } catch (error) {
      setFailure(errorText(error));
      setSaving(false);
    }
  };
  return (
    <Dialog title={heading} onClose={onClose}>
      <form
        className="choose-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {suggestion !== null && (
          <TextInput
            label={t("view.name")}
            value={name}
            maxLength={80}
            required
            data-autofocus
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
        <Radio.Group
          label={t("view.who")}
          value={owner}
          onChange={(wanted) => change({ owner: wanted })}
          error={failure}
        >
          <Stack gap={8} mt={6}>
            <Radio value="me" size="sm" label={t("view.forMe")} />
            {teams.map(({ id, name: team }) => (
              <Radio key={id} value={`team:${id}`} size="sm" label={t("view.forTeam", { team })} />
            ))}
            <Radio value="account" size="sm" label={t("view.forAccount")} />
          </Stack>
        </Radio.Group>
        <p className="quiet small">{t("dashboard.shareHint")}</p>
        <div className="dialog-actions">
          <Button
            variant="default"
            onClick={() => {
              draft.remove();
              onClose();
            }}
          >
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={saving}>
            {t("form.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
