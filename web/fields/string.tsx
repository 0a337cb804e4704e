import { Anchor, TextInput } from "@mantine/core";
import { t } from "../languages/index.ts";
import { type EditProps, type FieldKind, type FilterProps, inputProps, type ShowProps } from "./field-kind.ts";
import { EditPicture, ShowPicture } from "./files/picture.tsx";

// One line of text. A format turns it into a link or a picture.

function Show(props: ShowProps) {
  const { field, value } = props;
  if (field.format === "picture") return <ShowPicture {...props} />;
  if (field.format === "email") return <Anchor href={`mailto:${value}`}>{value}</Anchor>;
  if (/^https?:\/\/\S+$/.test(value))
    return (
      <Anchor href={value} rel="noreferrer noopener">
        {value}
      </Anchor>
    );
  return <>{value}</>;
}

function Edit(props: EditProps) {
  const { field, value, onChange } = props;
  if (field.format === "picture") return <EditPicture {...props} />;
  return (
    <TextInput
      {...inputProps(props)}
      type={field.format === "email" ? "email" : "text"}
      maxLength={field.kind === "string" ? field.max : undefined}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

export function TextFilter({ label, value, onChange }: FilterProps) {
  return (
    <TextInput
      label={label}
      description={t("filter.exactly")}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}

export const string: FieldKind = { Show, Edit, Filter: TextFilter };
