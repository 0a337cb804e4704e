import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import type { ReactNode } from "react";
import { ci as ciType } from "../../../records/configuration/ci.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { listKinds } from "./filter-graph.ts";
import { isFailingGroup } from "./find-failing.ts";
import type { CiGraph, GraphItem } from "./graph-types.ts";
import { itemIcon } from "./item-icon.ts";

type Props = { graph: CiGraph; id: number; failing: ReadonlySet<number> | null };

/** The related items as a list by kind; more distant ones are below the item that leads to them. */
export function RelationList({ graph, id, failing }: Props) {
  const kinds = listKinds(graph).filter((kind) =>
    [...graph.relations, ...graph.groups].some(({ of_ci, relation_type }) => of_ci === id && relation_type === kind),
  );
  return (
    <section className="ci-relations" aria-label={t("ci.graph")}>
      {kinds.map((kind) => (
        <section key={kind} aria-label={choiceLabel("ci_relation.relation_type", kind)}>
          <h2>{choiceLabel("ci_relation.relation_type", kind)}</h2>
          <RelatedItems graph={graph} id={id} failing={failing} kind={kind} />
        </section>
      ))}
    </section>
  );
}

/**
 * The items related to an item by one kind, or by any. In that case the kind is shown if it differs from the one
 * `below` which they are listed.
 */
function RelatedItems({ graph, id, failing, kind, below }: Props & { kind?: string; below?: string }) {
  const { account } = useCurrentAccount();
  const items = new Map(graph.items.map((item) => [item.id, item]));
  const level = items.get(id)?.level ?? 0;
  const isWanted = ({ of_ci, relation_type }: { of_ci: number; relation_type: string }) =>
    of_ci === id && (kind === undefined || relation_type === kind);
  const related = graph.relations.filter(isWanted).flatMap((relation) => {
    const item = items.get(relation.ci);
    return item === undefined ? [] : [{ ...relation, item }];
  });
  const groups = graph.groups.filter(isWanted);
  if (related.length + groups.length === 0) return null;
  const nameKind = (of: string): string =>
    kind === undefined && of !== below ? `${choiceLabel("ci_relation.relation_type", of)} · ` : "";
  return (
    <ul>
      {related.map(({ id: key, item, relation_type }) => (
        <li key={key}>
          <ItemLine
            path={paths.record(account.id, ciType, item.id)}
            icon={itemIcon(item.category)}
            name={item.label ?? item.name}
            fact={`${nameKind(relation_type)}${item.product.name}`}
            fails={failing?.has(item.id) === true}
            mark={<Trouble item={item} />}
          />
          {/* Only away from the center: items of one level may be related in a cycle. */}
          {item.level > level && <RelatedItems graph={graph} id={item.id} failing={failing} below={relation_type} />}
        </li>
      ))}
      {groups.map(({ relation_type, product, count, first, last }) => (
        <li key={`${relation_type} ${product.id}`}>
          <ItemLine
            path={`${paths.record(account.id, ciType, id)}?tab=ci_relations`}
            icon={IconStack2}
            name={t("ci.group", { count, product: product.name })}
            fact={`${nameKind(relation_type)}${t("ci.fromTo", { first, last })}`}
            fails={isFailingGroup({ of_ci: id, relation_type }, failing)}
          />
        </li>
      ))}
    </ul>
  );
}

type LineProps = { path: string; icon: IconComponent; name: string; fact: string; fails: boolean; mark?: ReactNode };

function ItemLine({ path, icon, name, fact, fails, mark }: LineProps) {
  const { component: _, ...link } = linkTo(path);
  return (
    <a className="ci-related" {...link}>
      <span className="ci-node-icon">
        <Icon of={icon} />
      </span>
      <span className="ci-node-text">
        <b>{name}</b>
        <span>{fact}</span>
      </span>
      {fails && <Chip tone="red">{t("ci.failsToo")}</Chip>}
      {mark}
    </a>
  );
}

const Trouble = ({ item: { open_work } }: { item: GraphItem }) =>
  open_work > 0 && (
    <span className="ci-node-mark">
      <Icon of={IconAlertTriangle} />
      <span className="spoken">{t("ci.openWork", { count: open_work })}</span>
    </span>
  );
