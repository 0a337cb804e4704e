import IconTemplate from "@tabler/icons-react/dist/esm/icons/IconTemplate.mjs";
import type { Ref } from "react";
import type { Row } from "../../api/index.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { readText } from "../work-item/page-parts.ts";
import { TemplateSelect } from "./inputs.tsx";

type Props = {
  inputRef: Ref<HTMLInputElement>;
  templates: readonly Reference[];
  chosen: Reference | null;
  error: string | undefined;
  onChange(template: Reference | null): void;
};

/** A few templates to click, and a search over all of them. */
export function TemplateChips({ inputRef, templates, chosen, error, onChange }: Props) {
  return (
    <div data-field="template">
      <span className="new-request-label">{t("newRequest.template")}</span>
      <div className="template-chips">
        {templates.map((template) => {
          const isChosen = chosen?.id === template.id;
          return (
            <button
              key={String(template.id)}
              type="button"
              className="template-chip"
              aria-pressed={isChosen}
              onClick={() => onChange(isChosen ? null : template)}
            >
              {isChosen && <Icon of={IconTemplate} size={14} />}
              {getReferenceName(template)}
            </button>
          );
        })}
        <TemplateSelect inputRef={inputRef} onChange={onChange} />
      </div>
      {error !== undefined && <p className="form-error">{error}</p>}
    </div>
  );
}

/** Three of the suggested templates, including the chosen one. */
export function pickTemplates(rows: readonly Row[], chosen: Reference | null): Reference[] {
  const found = rows.slice(0, 3).map((row): Reference => ({ id: row.id, subject: readText(row, "subject") }));
  return chosen === null || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found.slice(0, 2)];
}
