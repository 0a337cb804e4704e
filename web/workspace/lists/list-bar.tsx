import { ActionIcon, Button, Menu } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconShare2 from "@tabler/icons-react/dist/esm/icons/IconShare2.mjs";
import { useState } from "react";
import { runAction, useActions, useAllActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { isCreatable } from "../../base/record-types.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { tip } from "../../elements/tip.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst, typeLabel } from "../../languages/labels.ts";
import { viewLabel } from "../../languages/page-labels.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { writeApiCall } from "./list-address.ts";
import type { ListPage } from "./page/use-list-page.ts";
import { ViewMenu } from "./view-menu.tsx";
import { useViews } from "./views.ts";

/** The bar of a list: its name, its view, export, sharing and a new record. */
export function ListBar({ page }: { page: ListPage }) {
  const { type, query, address, steps } = page;
  const { account, api, may } = useCurrentAccount();
  const [exporting, setExporting] = useState(false);
  const dialog = useAllActions().find(({ id }) => id === `${type.name}.new`);
  const { views } = useViews(type);
  const saved = views.find(({ key }) => key === address.view)?.value.name;
  const viewName = saved ?? (address.state === undefined ? null : viewLabel(address.state));
  const copy = async (text: string, message: string) => {
    try {
      await navigator.clipboard.writeText(text);
      showMessage(message);
    } catch (error) {
      showError(error);
    }
  };
  const save = async (format: "csv" | "json") => {
    setExporting(true);
    try {
      const { exportRows } = await import("./export-rows.ts");
      const { count, isComplete } = await exportRows({ api, type, query, columns: address.columns, format });
      showMessage(t(isComplete ? "list.exported" : "list.exportedSome", { count }));
    } catch (error) {
      showError(error);
    } finally {
      setExporting(false);
    }
  };
  const mayCreate = isCreatable(type) && may("create", type);
  const copyCall = () => void copy(writeApiCall(account.id, type, query), t("list.callCopied"));
  // biome-ignore format: a table keeps its columns
  useActions([
    { id: "list.export",   name: t("list.exportCsv"),  group: "list", keys: "shift+e", icon: IconDownload, run: () => void save("csv") },
    { id: "list.copyCall", name: t("list.copyCall"),   group: "list", icon: IconShare2, words: "curl API", run: copyCall },
  ]);
  return (
    <PageBar
      title={collectionLabel(type)}
      windowTitle={viewName === null ? collectionLabel(type) : `${viewName} · ${collectionLabel(type)}`}
      actions={
        <>
          <Menu position="bottom-end" shadow="md" width={220}>
            <Menu.Target>
              <ActionIcon
                variant="default"
                size={30}
                loading={exporting}
                aria-label={t("list.export")}
                {...tip(t("list.export"))}
              >
                <Icon of={IconDownload} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item rightSection={<Kbd keys="shift+e" />} onClick={() => void save("csv")}>
                {t("list.exportCsv")}
              </Menu.Item>
              <Menu.Item onClick={() => void save("json")}>{t("list.exportJson")}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Menu position="bottom-end" shadow="md" width={220}>
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t("list.share")} {...tip(t("list.share"))}>
                <Icon of={IconShare2} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void copy(location.href, t("list.linkCopied"))}>{t("list.copyLink")}</Menu.Item>
              <Menu.Item onClick={copyCall}>{t("list.copyCall")}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {mayCreate && (
            <Button
              className="list-new"
              leftSection={<Icon of={IconPlus} />}
              rightSection={dialog?.keys === undefined ? undefined : <Kbd keys={dialog.keys} />}
              {...(dialog === undefined
                ? linkTo(paths.create(account.id, type))
                : { onClick: () => runAction(dialog.id) })}
            >
              {t("list.new", { type: lowerFirst(typeLabel(type)) })}
            </Button>
          )}
        </>
      }
    >
      <ViewMenu
        type={type}
        address={address}
        query={page.viewQuery}
        widths={page.widths}
        onState={steps.openState}
        onOpen={(view) => steps.openView(view)}
        onSaved={(view) => steps.nameView(view.key)}
        onRemoved={() => steps.nameView(undefined)}
      />
    </PageBar>
  );
}
