import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import type { FileColumn, ImportColumn } from "../../api/exchange.ts";
import { Icon } from "../../elements/icon.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel, lowerFirst } from "../../languages/labels.ts";

type Props = {
  columns: readonly FileColumn[];
  fields: readonly ImportColumn[];
  rows: number;
  /** null: read-only */
  onChange: ((header: string, field: string | null) => void) | null;
};

/** "Product, by name". */
const buildLabel = ({ name, by }: ImportColumn): string =>
  by === undefined || by.length === 0
    ? fieldLabel(name)
    : t("exchange.fieldBy", { field: fieldLabel(name), key: by.map((key) => lowerFirst(fieldLabel(key))).join(" / ") });

/** The field for each column of the file, with the column's first values. */
export function ColumnTable({ columns, fields, rows, onChange }: Props) {
  const data = fields.map((field) => ({ value: field.name, label: buildLabel(field) }));
  const mappedFields = new Set(columns.map(({ field }) => field));
  const missing = fields.filter(({ name, required }) => required && !mappedFields.has(name));
  const recognised = columns.filter(({ field }) => field !== null).length;
  return (
    <section aria-label={t("exchange.columnsTitle")} className="import-columns">
      <h2 className="settings-title">
        {t("exchange.columnsTitle")}{" "}
        <span className="quiet">{t("exchange.recognised", { count: columns.length, known: recognised })}</span>
      </h2>
      {missing.length > 0 && (
        <p className="quiet">
          {t("exchange.missing", { fields: missing.map(({ name }) => fieldLabel(name)).join(", ") })}
        </p>
      )}
      <div className="card scroll-x">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("exchange.column")}</th>
              <th>{t("exchange.field")}</th>
              <th>{t("exchange.firstValues")}</th>
              <th className="right">{t("exchange.filled")}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ header, field, samples, filled }) => (
              <tr key={header}>
                <th scope="row">
                  <span className="column-arrow">
                    {header}
                    <Icon of={IconArrowRight} />
                  </span>
                </th>
                <td>
                  <Select
                    size="xs"
                    aria-label={t("exchange.fieldOf", { column: header })}
                    data={data}
                    value={field}
                    onChange={(value) => onChange?.(header, value)}
                    readOnly={onChange === null}
                    placeholder={t("exchange.notImported")}
                    clearable={onChange !== null}
                    clearButtonProps={{ "aria-label": t("exchange.doNotImport", { column: header }) }}
                    searchable
                    maxDropdownHeight={280}
                    nothingFoundMessage={t("form.nothingFound")}
                  />
                </td>
                <td className="quiet truncate">{samples.join(", ")}</td>
                <td className="right numbers quiet">
                  {rows === 0 ? "" : t("exchange.percent", { share: Math.round((filled / rows) * 1000) / 10 })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
