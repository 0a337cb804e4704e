import { Button, Popover } from "@mantine/core";
import IconColumns3 from "@tabler/icons-react/dist/esm/icons/IconColumns3.mjs";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { focusMarked } from "../../../parts/dialogs/dialog-focus.ts";
import { LoadingDialog } from "../../../parts/dialogs/dialog-loading.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";

const loadChoice = () => import("./columns-choice.tsx");

type Props = {
  type: RecordType;
  columns: readonly string[];
  /** the number of columns that don't fit */
  hidden: number;
  onChange(columns: readonly string[] | undefined): void;
};

/** The button that shows how many columns don't fit, and opens the column chooser. */
export function ColumnsMenu({ type, columns, hidden, onChange }: Props) {
  const [opened, setOpened] = useState(false);
  const choice = useLoaded(loadChoice, opened);
  return (
    <Popover
      opened={opened && choice !== null}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      width={280}
      trapFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon of={IconColumns3} size={14} />}
          onClick={() => setOpened(!opened)}
        >
          {t("list.columns")}
          {hidden > 0 && (
            <>
              <span className="list-hidden-count" aria-hidden="true">
                +{hidden}
              </span>
              <span className="spoken">{t("list.columnsHidden", { count: hidden })}</span>
            </>
          )}
        </Button>
      </Popover.Target>
      {opened && choice === null && <LoadingDialog onClose={() => setOpened(false)} />}
      <Popover.Dropdown ref={focusMarked} className="list-menu" aria-label={t("list.columns")}>
        {choice !== null && <choice.ColumnsChoice type={type} columns={columns} onChange={onChange} />}
      </Popover.Dropdown>
    </Popover>
  );
}
