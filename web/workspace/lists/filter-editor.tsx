import { Popover } from "@mantine/core";
import type { ReactElement } from "react";
import type { Field } from "../../../records/vocabulary/index.ts";
import { t } from "../../languages/index.ts";
import { focusMarked } from "../../parts/dialogs/dialog-focus.ts";
import { LoadingDialog } from "../../parts/dialogs/dialog-loading.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { columnLabel } from "./grid/columns.ts";

const loadForms = () => import("./filter-forms.tsx");

type Props = {
  name: string;
  field: Field;
  /** undefined: the filter is new */
  text: string | undefined;
  opened: boolean;
  onClose(): void;
  onApply(text: string): void;
  children: ReactElement;
};

/** The operator and value of a filter, below its chip. */
export function FilterEditor({ name, field, text, opened, onClose, onApply, children }: Props) {
  const forms = useLoaded(loadForms, opened);
  return (
    <Popover
      opened={opened && forms !== null}
      onChange={(open) => !open && onClose()}
      trapFocus
      position="bottom-start"
      shadow="md"
      width={300}
    >
      <Popover.Target>{children}</Popover.Target>
      {opened && forms === null && <LoadingDialog onClose={onClose} />}
      <Popover.Dropdown ref={focusMarked} aria-label={t("filter.by", { field: columnLabel(name) })}>
        {opened && forms !== null && <forms.TermForm name={name} field={field} text={text} onApply={onApply} />}
      </Popover.Dropdown>
    </Popover>
  );
}

type WordsProps = {
  value: string;
  opened: boolean;
  onClose(): void;
  onApply(value: string): void;
  children: ReactElement;
};

export function WordsEditor({ value, opened, onClose, onApply, children }: WordsProps) {
  const forms = useLoaded(loadForms, opened);
  return (
    <Popover
      opened={opened && forms !== null}
      onChange={(open) => !open && onClose()}
      trapFocus
      position="bottom-start"
      shadow="md"
      width={300}
    >
      <Popover.Target>{children}</Popover.Target>
      {opened && forms === null && <LoadingDialog onClose={onClose} />}
      <Popover.Dropdown ref={focusMarked} aria-label={t("filter.contains")}>
        {opened && forms !== null && <forms.WordsForm value={value} onApply={onApply} />}
      </Popover.Dropdown>
    </Popover>
  );
}
