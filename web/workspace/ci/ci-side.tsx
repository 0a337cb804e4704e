import IconCircleCheckFilled from "@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs";
import IconPointFilled from "@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs";
import { Fragment } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api/index.ts";
import { formatDate, formatNumber } from "../../base/formats.ts";
import type { ToneName } from "../../base/tokens.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { NamedValue } from "../../fields/named-value.tsx";
import { currentLocale, t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel } from "../../languages/labels.ts";
import { useNow } from "../../parts/now.ts";
import { PropertyRow } from "../../parts/property-row.tsx";
import { LifeLine } from "./life-line.tsx";
import { pickStatusTone } from "./status-tones.ts";
import { computeValueToday } from "./value-today.ts";

// The fields of an item, in groups; a field without a value is left out, except for the most important ones.

const licences = ["license_type", "nr_of_licenses", "site_license", "temporary_license", "license_expiry_date"];
// biome-ignore format: a table keeps its lines
const groups: readonly (readonly string[])[] = [
  ["status", "action_status", "label", "name", "product", "serial_nr", "assetID", "systemID"],
  ["service", "support_team", "supplier", "financial_owner", "site", "location"],
  ["in_use_since", "warranty_expiry_date", "purchase_value", "salvage_value", "depreciation_method", "useful_life", "po_nr"],
  licences,
  ["nr_of_processors", "nr_of_cores", "alternate_names", "remarks", "source", "sourceID"],
];
const always = ["status", "label", "product", "service", "support_team", "site", "warranty_expiry_date"];
/** Expiry dates with an advance warning. */
const expiries = ["warranty_expiry_date", "license_expiry_date"];
const warningDays = 90;

const isBlank = (value: unknown): boolean => value === null || value === undefined || value === "";

export function CiSide({ type, row }: { type: RecordType; row: Row }) {
  const shown = groups
    .map((names) => names.filter((name) => (always.includes(name) || !isBlank(row[name])) && name in type.fields))
    .filter((names) => names.length > 0);
  return (
    <div className="ci-side">
      {shown.map((names) => (
        <div key={names[0]} className="ci-side-group">
          {names.map((name) => (
            <Fragment key={name}>
              <PropertyRow label={fieldLabel(name)}>
                {expiries.includes(name) && typeof row[name] === "string" ? (
                  <Expiry date={row[name]} />
                ) : name === "status" ? (
                  <Status status={String(row.status)} />
                ) : (
                  <NamedValue type={type} name={name} row={row} />
                )}
              </PropertyRow>
            </Fragment>
          ))}
          {names.includes("purchase_value") && <ValueToday row={row} />}
        </div>
      ))}
      <LifeLine id={row.id} />
    </div>
  );
}

function Status({ status }: { status: string }) {
  const tone = pickStatusTone(status);
  return (
    <span className="ci-status">
      <Icon of={tone === "green" ? IconCircleCheckFilled : IconPointFilled} color={`var(--${tone}-solid)`} />
      {choiceLabel("ci.status", status)}
    </span>
  );
}

function ValueToday({ row }: { row: Row }) {
  const value = computeValueToday(row, useNow());
  if (value === null) return null;
  const currency = String(row.purchase_value_currency ?? "");
  return (
    <PropertyRow label={t("ci.valueToday")}>
      {currency === ""
        ? formatNumber(value)
        : new Intl.NumberFormat(currentLocale(), { style: "currency", currency }).format(value)}
    </PropertyRow>
  );
}

/** Green while there is time, orange for the last weeks, red after expiry. */
function Expiry({ date }: { date: string }) {
  const days = Math.ceil((Date.parse(date) - useNow()) / 86_400_000);
  const tone: ToneName = days < 0 ? "red" : days <= warningDays ? "orange" : "grey";
  const title = days < 0 ? t("ci.expired", { count: -days }) : t("ci.expiresIn", { count: days });
  return (
    <Chip tone={tone} title={title} label={`${formatDate(date)}, ${title}`}>
      {formatDate(date)}
    </Chip>
  );
}
