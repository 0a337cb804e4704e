import { ActionIcon } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { useState } from "react";
import { serviceInstance } from "../../../records/configuration/service-instance.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import type { ToneName } from "../../base/tokens.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { useList } from "../../queries/index.ts";

const tones: Readonly<Record<string, ToneName>> = { in_production: "green", discontinued: "red" };
/** Instances may support each other in a cycle. */
const maxDepth = 6;

/** Instances, each with its supporting ones below; they are loaded when it is expanded. */
export function InstanceTree({ rows, depth = 0 }: { rows: readonly Row[]; depth?: number }) {
  return (
    <ul className="service-list instance-tree">
      {rows.map((row) => (
        <InstanceNode key={row.id} row={row} depth={depth} />
      ))}
    </ul>
  );
}

function InstanceNode({ row, depth }: { row: Row; depth: number }) {
  const { account } = useCurrentAccount();
  const [open, setOpen] = useState(false);
  const [name, status] = [String(row.name), String(row.status)];
  return (
    <li>
      {depth < maxDepth && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-expanded={open}
          aria-label={t("service.servedBy", { name })}
          onClick={() => setOpen((was) => !was)}
        >
          <Icon of={open ? IconChevronDown : IconChevronRight} size={14} />
        </ActionIcon>
      )}
      <Link to={paths.record(account.id, serviceInstance, row.id)}>{name}</Link>
      {typeof row.impact === "string" && <ImpactIcon impact={row.impact} />}
      <Chip tone={tones[status] ?? "grey"}>{choiceLabel("service_instance.status", status)}</Chip>
      {open && <InstancesBelow id={row.id} depth={depth + 1} />}
    </li>
  );
}

function InstancesBelow({ id, depth }: { id: number; depth: number }) {
  const { data } = useList(`/service_instances/${id}/child_service_instances`, {
    fields: "name,status,impact",
    per_page: "50",
  });
  if (data === undefined) return null;
  if (data.rows.length === 0) return <p className="ci-quiet instance-none">{t("service.servedByNone")}</p>;
  return <InstanceTree rows={data.rows} depth={depth} />;
}
