import { notifications } from "@mantine/notifications";
import { t } from "../languages/index.ts";
import { errorText, errorTitle } from "./error-text.ts";

const buildCloseButton = () => ({ "aria-label": t("app.close") });

export const showMessage = (message: string): void =>
  void notifications.show({ message, color: "teal", closeButtonProps: buildCloseButton() });

export const showError = (error: unknown): void =>
  void notifications.show({
    title: errorTitle(error),
    message: errorText(error),
    color: "red",
    autoClose: 10_000,
    role: "alert",
    closeButtonProps: buildCloseButton(),
  });
