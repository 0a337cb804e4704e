import { FileButton } from "@mantine/core";
import IconAt from "@tabler/icons-react/dist/esm/icons/IconAt.mjs";
import IconBold from "@tabler/icons-react/dist/esm/icons/IconBold.mjs";
import IconCode from "@tabler/icons-react/dist/esm/icons/IconCode.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconPaperclip from "@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs";
import type { Row } from "../../../api/index.ts";
import { Icon, type IconComponent } from "../../../elements/icon.tsx";
import { tip } from "../../../elements/tip.tsx";
import { t } from "../../../languages/index.ts";
import { SnippetButton } from "./snippet-button.tsx";
import type { Compose } from "./use-compose.ts";

type ToolProps = { label: string; icon: IconComponent; onClick?: () => void };

const Tool = ({ label, icon, ...button }: ToolProps) => (
  <button type="button" className="tool" aria-label={label} {...tip(label)} {...button}>
    <Icon of={icon} />
  </button>
);

type Props = { compose: Compose; row: Row; requester: string | null };

/** Markup, files and snippets. */
export function ComposerTools({ compose, row, requester }: Props) {
  const { surround, insert, draft, files } = compose;
  return (
    <div className="tools">
      <Tool label={t("request.composer.bold")} icon={IconBold} onClick={() => surround("*")} />
      <Tool label={t("request.composer.list")} icon={IconList} onClick={() => surround("\n* ", "")} />
      <Tool label={t("request.composer.code")} icon={IconCode} onClick={() => surround("`")} />
      <Tool label={t("request.composer.mention")} icon={IconAt} onClick={() => surround("@", "")} />
      <FileButton multiple onChange={(chosen) => files.add(chosen)}>
        {({ onClick }) => <Tool label={t("request.composer.attach")} icon={IconPaperclip} onClick={onClick} />}
      </FileButton>
      <SnippetButton row={row} requester={requester} text={draft.text} onInsert={insert} />
    </div>
  );
}
