import { Button } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import { useContext, useEffect } from "react";
import { CurrentAccountContext } from "../api/current-account.ts";
import { ApiError } from "../api/index.ts";
import { linkTo } from "../base/history.ts";
import { paths } from "../base/paths.ts";
import { errorText, errorTitle } from "../elements/error-text.ts";
import { Icon } from "../elements/icon.tsx";
import { reloadForMissingCode } from "../elements/load-code.ts";
import { t } from "../languages/index.ts";

/** Replaces content that couldn't be shown. A retry is offered if it may help. */
export function ErrorMessage({ error, retry }: { error: unknown; retry?: () => void }) {
  const here = useContext(CurrentAccountContext);
  useEffect(() => reloadForMissingCode(error), [error]);
  const lasting = error instanceof ApiError && [403, 404].includes(error.status);
  const home = here === null ? "/" : paths.home(here.account.id);
  return (
    <div className="failure" role="alert">
      <Icon of={IconAlertTriangle} size={36} />
      <h1 className="failure-title">{errorTitle(error)}</h1>
      <p>{errorText(error)}</p>
      <div className="failure-actions">
        {retry !== undefined && !lasting && <Button onClick={retry}>{t("error.retry")}</Button>}
        <Button variant="default" {...linkTo(home)}>
          {t("error.home")}
        </Button>
      </div>
    </div>
  );
}
