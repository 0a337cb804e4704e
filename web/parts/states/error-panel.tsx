import { Button } from "@mantine/core";
import IconCloudX from "@tabler/icons-react/dist/esm/icons/IconCloudX.mjs";
import IconCopy from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import { useContext } from "react";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { errorText, errorTitle } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../empty-state.tsx";

type Props = {
  error: unknown /** "This list could not be loaded" */;
  title?: string;
  retry?: () => void;
  level?: 1 | 2;
};

/** The error, its reason, "Try again", and the id of the call for support. */
export function ErrorPanel({ error, title, retry, level }: Props) {
  const here = useContext(CurrentAccountContext);
  const id = error instanceof ApiError ? error.requestId : null;
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text);
    showMessage(t("secret.copied"));
  };
  return (
    <div role="alert">
      <EmptyState
        icon={IconCloudX}
        tone="red"
        title={title ?? errorTitle(error)}
        lead={errorText(error)}
        {...(level === undefined ? {} : { level })}
      >
        {retry !== undefined && (
          <Button onClick={retry} leftSection={<Icon of={IconRefresh} />}>
            {t("error.retry")}
          </Button>
        )}
        {id !== null && (
          <button type="button" className="request-id" onClick={() => void copy(id)}>
            <span className="spoken">{t("error.copyRequest")}: </span>
            {t("error.request")} <code>{id}</code> <Icon of={IconCopy} size={14} />
          </button>
        )}
        {id !== null && here !== null && here.account.roles.length > 0 && (
          <a href={`${paths.requestLog(here.account.id)}?request_id=${id}`}>{t("error.openRequest")}</a>
        )}
      </EmptyState>
    </div>
  );
}
