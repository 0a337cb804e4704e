import { Popover } from "@mantine/core";
import IconListCheck from "@tabler/icons-react/dist/esm/icons/IconListCheck.mjs";
import { useLocation } from "@tanstack/react-router";
import { useContext, useEffect, useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { isAdministrator } from "../../base/permissions.ts";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { countSettled, StepList } from "./step-list.tsx";
import { firstSteps } from "./steps.ts";
import { useFirstSteps, useTrackFirstSteps } from "./use-first-steps.ts";

const loadDelay = 2500; // milliseconds: no page waits for this

/** In an administrator's menu until the first steps are done or hidden; the palette brings them back. */
export function FirstStepsMenu({ collapsed }: { collapsed: boolean }) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  const [isLate, setLate] = useState(false);
  const [opened, setOpened] = useState(false);
  const [isAskedFor, setAskedFor] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), loadDelay);
    return () => clearTimeout(timer);
  }, []);
  const [shownOn, setShownOn] = useState(pathname);
  // A new page closes the panel.
  if (shownOn !== pathname) {
    setShownOn(pathname);
    setOpened(false);
  }
  const onSettings = here !== null && pathname === paths.settings(here.account.id);
  const steps = useFirstSteps(isLate || onSettings);
  useTrackFirstSteps(steps);
  // The person may open the steps before they are loaded.
  useEffect(() => {
    if (!isAskedFor || steps === null) return;
    setAskedFor(false);
    steps.setHidden(false);
  }, [isAskedFor, steps]);
  useActions([
    {
      id: "help.firstSteps",
      name: t("steps.title"),
      group: "general",
      icon: IconListCheck,
      when: here !== null && isAdministrator(here.account.roles),
      run: () => {
        setLate(true);
        setAskedFor(true);
        setOpened(true);
      },
    },
  ]);
  // The settings show the steps themselves.
  if (steps === null || steps.state.hidden || (steps.isComplete && !opened) || onSettings) return null;
  return (
    <Popover opened={opened} onChange={setOpened} position="right-end" shadow="md" width={380} trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="menu-link"
          onClick={() => setOpened((was) => !was)}
          {...(collapsed ? tip(t("steps.title")) : {})}
        >
          <Icon of={IconListCheck} />
          <span className="menu-label">{t("steps.title")}</span>
          <span className="menu-label menu-end quiet numbers">
            {t("steps.progress", { done: String(countSettled(steps)), total: String(firstSteps.length) })}
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("steps.title")}>
        <StepList
          steps={steps}
          onHide={() => {
            setOpened(false);
            steps.setHidden(true);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
