import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { useEffect } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../router.tsx";
import { t } from "../words.ts";

type Step = { label: string; to: string };

/** The breadcrumb; its last part is the page itself and sets the browser title. */
export function Crumbs({ way, here }: { way: readonly Step[]; here: string }) {
  useTitle(here);
  return (
    <nav className="crumbs" aria-label={t("crumbs")}>
      <ol>
        {way.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
            <Icon of={IconChevronRight} size={14} />
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}

export function useTitle(title: string): void {
  const { account } = useCurrentAccount();
  useEffect(() => {
    document.title = `${title} · ${account.name}`;
    return () => {
      document.title = account.name;
    };
  }, [title, account.name]);
}
