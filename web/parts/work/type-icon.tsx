import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconBook from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
import IconBug from "@tabler/icons-react/dist/esm/icons/IconBug.mjs";
import IconBuilding from "@tabler/icons-react/dist/esm/icons/IconBuilding.mjs";
import IconCheckbox from "@tabler/icons-react/dist/esm/icons/IconCheckbox.mjs";
import IconDevices from "@tabler/icons-react/dist/esm/icons/IconDevices.mjs";
import IconFileText from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import IconLayoutKanban from "@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs";
import IconMessage2 from "@tabler/icons-react/dist/esm/icons/IconMessage2.mjs";
import IconPackage from "@tabler/icons-react/dist/esm/icons/IconPackage.mjs";
import IconRocket from "@tabler/icons-react/dist/esm/icons/IconRocket.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import IconSitemap from "@tabler/icons-react/dist/esm/icons/IconSitemap.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import IconTimeline from "@tabler/icons-react/dist/esm/icons/IconTimeline.mjs";
import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { findEntry } from "../../base/type-index.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { typeLabel } from "../../languages/labels.ts";

const icons: Readonly<Record<string, IconComponent>> = {
  request: IconMessage2,
  problem: IconBug,
  task: IconCheckbox,
  project_task: IconTimeline,
  project: IconTimeline,
  workflow: IconSitemap,
  release: IconRocket,
  risk: IconAlertTriangle,
  ci: IconDevices,
  product: IconPackage,
  knowledge_article: IconBook,
  person: IconUser,
  team: IconUsers,
  organization: IconBuilding,
  site: IconBuilding,
  service: IconStack2,
  service_instance: IconStack2,
  sla: IconStack2,
  agile_board: IconLayoutKanban,
};

/** The icon of a record type; an approval of any type is a stamp. */
export const typeIcon = (type: string, category?: string): IconComponent =>
  category === "approval" ? IconRubberStamp : (icons[type] ?? IconFileText);

/** The category of a row, with its name on hover and for screen readers. */
export function CategoryIcon({ type, category, size = 16 }: { type: string; category?: string; size?: number }) {
  const declared = findEntry(type);
  const label = declared === undefined ? type : typeLabel(declared);
  return (
    <span className="type-icon" data-approval={category === "approval" || undefined} {...tip(label)}>
      <Icon of={typeIcon(type, category)} size={size} />
      <span className="spoken">{label}</span>
    </span>
  );
}
