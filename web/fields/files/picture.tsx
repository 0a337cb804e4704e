import { Button, FileButton, Group, Input } from "@mantine/core";
import { useId } from "react";
import { t } from "../../languages/index.ts";
import { type EditProps, inputProps, type ShowProps } from "../field-kind.ts";

export function ShowPicture({ value, row }: ShowProps) {
  if (!value) return null;
  return <img className="picture" src={value} alt={t("value.picture", { name: String(row.name ?? row.id) })} />;
}

/** A picture is sent inside the record, as a data: URL. */
function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

export function EditPicture(props: EditProps) {
  const { value, onChange, label } = props;
  const id = useId();
  return (
    <Input.Wrapper {...inputProps(props)} id={id} labelElement="div">
      <Group mt={4}>
        {value && <img className="picture" src={value} alt="" />}
        <FileButton
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={(file) => file !== null && readAsDataUrl(file).then(onChange)}
          inputProps={{ "aria-label": label }}
        >
          {(button) => (
            <Button {...button} variant="default">
              {t("form.chooseFile")}
            </Button>
          )}
        </FileButton>
        {value && (
          <Button variant="subtle" onClick={() => onChange(null)}>
            {t("form.removePicture")}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
