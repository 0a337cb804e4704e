import { Button, Checkbox, Group, Radio, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { KeptOwner } from "../../api/kept.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { useOwnTeams } from "../../queries/own-teams.ts";

type Props = {
  type: RecordType;
  suggestion: string;
  onClose(): void;
  onSave(name: string, owner: KeptOwner, isDefault: boolean): Promise<void>;
};

export function SaveViewDialog({ type, suggestion, onClose, onSave }: Props) {
  const { values, change, draft } = useFormDraft<{ name: string; owner: KeptOwner; isDefault: boolean }>(
    `new/view/${type.collection}`,
    {
      name: suggestion,
      owner: "me",
      isDefault: false,
    },
  );
  const { name, owner, isDefault } = values;
  const isOfTeam = owner.startsWith("team");
  const [failure, setFailure] = useState<string | undefined>();
  const [saving, setSaving] = useState(false);
  const teams = useOwnTeams(true);
  const owners: { value: KeptOwner; label: string }[] = [
    { value: "me", label: t("view.forMe") },
    ...teams.map((team) => ({ value: `team:${team.id}` as const, label: t("view.forTeam", { team: team.name }) })),
    { value: "account", label: t("view.forAccount") },
  ];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    setSaving(true);
    try {
      await onSave(name.trim(), owner, isOfTeam && isDefault);
      draft.remove();
    } catch (error) {
      setFailure(errorText(error));
      setSaving(false);
    }
  };
  return (
    <Dialog title={t("view.saveAs")} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t("view.name")}
            value={name}
            maxLength={80}
            required
            data-autofocus
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Radio.Group
            label={t("view.who")}
            value={owner}
            onChange={(wanted) => change({ owner: owners.find((each) => each.value === wanted)?.value ?? "me" })}
            error={failure}
          >
            <Stack gap={8} mt={6}>
              {owners.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} size="sm" />
              ))}
            </Stack>
          </Radio.Group>
          {isOfTeam && (
            <Checkbox
              size="sm"
              label={t("view.makeDefault")}
              checked={isDefault}
              onChange={(event) => change({ isDefault: event.currentTarget.checked })}
            />
          )}
          <Group justify="flex-end">
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
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
