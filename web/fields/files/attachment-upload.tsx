import { Button, FileButton, Group, Input } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { errorText } from "../../elements/error-text.ts";
import { FileIcon } from "../../elements/icons.tsx";
import { RemovablePill } from "../../elements/removable-pill.tsx";
import { t } from "../../languages/index.ts";
import { type EditProps, type FieldKind, inputProps } from "../field-kind.ts";

// Files for a text field. They are uploaded immediately and attached when the record is saved.

type Upload = { key: string; filesize: number; inline: false };
const fileName = (key: string) => key.split("/").at(-1) ?? key;

function Edit(props: EditProps) {
  const { api } = useCurrentAccount();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const files: Upload[] = props.value ?? [];
  const add = async (file: File | null) => {
    if (file === null) return;
    setBusy(true);
    setFailure(undefined);
    try {
      props.onChange([...files, { ...(await api.upload(file)), inline: false }]);
    } catch (error) {
      setFailure(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Input.Wrapper {...inputProps(props)} error={failure ?? props.error} labelElement="div">
      <Group gap={6} mt={4}>
        {files.map((file) => (
          <RemovablePill
            key={file.key}
            name={fileName(file.key)}
            onRemove={() => props.onChange(files.filter(({ key }) => key !== file.key))}
          />
        ))}
        <FileButton onChange={add} inputProps={{ "aria-label": props.label }}>
          {(button) => (
            <Button {...button} variant="default" size="xs" loading={busy} leftSection={<FileIcon size={16} />}>
              {t("form.addFile")}
            </Button>
          )}
        </FileButton>
      </Group>
    </Input.Wrapper>
  );
}

export const attachmentsOf: FieldKind = { Show: () => null, Edit, wide: true };
