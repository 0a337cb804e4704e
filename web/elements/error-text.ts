import { ApiError } from "../api/index.ts";
import { isMessage, t } from "../languages/index.ts";

/** An error message for the person using the interface. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error.screen");
  const { status, message, retryAfter } = error;
  if (status === 429) return t("error.429", { seconds: retryAfter ?? 60 });
  if (status === 422) return error.problems.map(([, text]) => text).join(". ") || t("error.422");
  const key = `error.${status}`;
  if (isMessage(key)) return t(key, { message });
  return status >= 502 ? t("error.503") : status >= 500 ? t("error.500") : t("error.400", { message });
}

export function errorTitle(error: unknown): string {
  const key = `error.${error instanceof ApiError ? error.status : ""}.title`;
  return isMessage(key) ? t(key) : t("error.title");
}
