import { Popover } from "@mantine/core";
import IconTemplate from "@tabler/icons-react/dist/esm/icons/IconTemplate.mjs";
import { Suspense, useState } from "react";
import { useActions } from "../../../actions/registry.ts";
import type { Row } from "../../../api/index.ts";
import { Icon } from "../../../elements/icon.tsx";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { tip } from "../../../elements/tip.tsx";
import { t } from "../../../languages/index.ts";

const SnippetList = lazyPart(async () => (await import("./snippet-list.tsx")).default);

type Props = {
  row: Row;
  /** the field of the record's requester */
  requester: string | null;
  /** the composer's text, which can be saved as a snippet */
  text: string;
  onInsert(text: string): void;
};

/** Reusable texts, inserted at the cursor. */
export function SnippetButton({ row, requester, text, onInsert }: Props) {
  const [open, setOpen] = useState(false);
  useActions([
    {
      id: "composer.snippet",
      name: t("snippet.insert"),
      group: "write",
      icon: IconTemplate,
      words: "canned answer template text",
      run: () => setOpen(true),
    },
  ]);
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" width={340} shadow="md" trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="tool"
          aria-label={t("snippet.insert")}
          aria-expanded={open}
          {...tip(t("snippet.insert"))}
          onClick={() => setOpen(!open)}
        >
          <Icon of={IconTemplate} />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("snippet.title")} className="snippets">
        {open && (
          <Suspense>
            <SnippetList
              row={row}
              requester={requester}
              text={text}
              onInsert={(chosen) => {
                setOpen(false);
                onInsert(chosen);
              }}
            />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
