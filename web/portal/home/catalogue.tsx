import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import type { PortalTemplate } from "../../../records/answers/portal-forms.ts";
import { Icon } from "../../elements/icon.tsx";
import { useAddresses } from "../addresses.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { useHome } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";
import { SearchBox } from "./search-box.tsx";
import { pickTile, tiles } from "./tiles.ts";

/** The items that can be requested: of one tile, of one service (by its id), or all of them. */
export function CataloguePage({ id }: { id: string }) {
  const { data, error, refetch } = useHome();
  const at = useAddresses();
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const tile = tiles.find(({ key }) => key === id);
  const service = data.services.find((each) => String(each.id) === id);
  const chosen = data.templates.filter((template) =>
    tile !== undefined ? pickTile(template) === tile.key : id === "all" || String(template.service?.id) === id,
  );
  const title = tile !== undefined ? t(tile.title) : (service?.localized_name ?? t("catalogue.all"));
  // On a phone the bottom bar has no room for these two.
  const offer =
    tile?.key === "booking" && data.offers.reservations > 0
      ? { to: at.reservations, label: t("nav.reservations") }
      : tile?.key === "equipment" && data.offers.shop > 0
        ? { to: at.shop, label: t("nav.shop") }
        : null;
  const groups = Map.groupBy(chosen, (template) => template.service?.localized_name ?? "");
  return (
    <div className="catalogue">
      <Crumbs way={[{ label: t("nav.home"), to: at.home }]} here={title} />
      <h1>{title}</h1>
      <p className="quiet">{tile !== undefined ? t(tile.lead) : t("catalogue.lead")}</p>
      <SearchBox />
      <div className="catalogue-groups">
        {[...groups].map(([name, templates]) => (
          <section key={name} className="panel catalogue-group">
            {name !== "" && <h2>{name}</h2>}
            <ul>
              {templates.map((template) => (
                <li key={template.id}>
                  <TemplateLink template={template} to={at.form(template.id)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {offer !== null && (
          <section className="panel catalogue-group">
            <h2>{offer.label}</h2>
            <ul>
              <li>
                <Link className="catalogue-link" to={offer.to}>
                  <span>{offer.label}</span>
                  <Icon of={IconChevronRight} size={18} />
                </Link>
              </li>
            </ul>
          </section>
        )}
        <section className="panel catalogue-group">
          <h2>{t("catalogue.other")}</h2>
          <ul>
            <li>
              <Link className="catalogue-link" to={at.newRequest()}>
                <span>{tile?.key === "broken" ? t("catalogue.somethingBroken") : t("catalogue.ownWords")}</span>
                <Icon of={IconChevronRight} size={18} />
              </Link>
            </li>
          </ul>
        </section>
      </div>
    </div>
  );
}

const TemplateLink = ({ template, to }: { template: PortalTemplate; to: string }) => (
  <Link className="catalogue-link" to={to}>
    <span>{template.localized_subject ?? template.subject}</span>
    <Icon of={IconChevronRight} size={18} />
  </Link>
);
