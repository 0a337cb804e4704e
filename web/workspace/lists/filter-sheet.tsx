import { Button, Drawer } from "@mantine/core";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import { type ComponentProps, useState } from "react";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { FilterBar } from "./filter-bar.tsx";

/** On a phone: one button, and the filters in a sheet from below. */
export default function FilterSheet(props: ComponentProps<typeof FilterBar>) {
  const [open, setOpen] = useState(false);
  const count = Object.keys(props.filters).length + (props.q === undefined ? 0 : 1);
  const label = count === 0 ? t("filter.add") : t("filter.sheet", { count });
  const isOpen = open || props.adding;
  const close = () => {
    setOpen(false);
    props.onAdding(false);
  };
  return (
    <>
      <Button
        variant="default"
        className="filter-sheet-button"
        leftSection={<Icon of={IconFilter} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Drawer.Root opened={isOpen} onClose={close} position="bottom" size="auto">
        <Drawer.Overlay />
        <Drawer.Content aria-label={label} className="filter-sheet">
          <Drawer.Header role="presentation">
            <Drawer.Title fw={650}>{label}</Drawer.Title>
            <Drawer.CloseButton aria-label={t("app.close")} />
          </Drawer.Header>
          <Drawer.Body>
            <FilterBar {...props} />
            <Button fullWidth mt="lg" onClick={close}>
              {t("filter.done")}
            </Button>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  );
}
