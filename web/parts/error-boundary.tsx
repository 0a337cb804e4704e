import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { t } from "../languages/index.ts";
import { leaveWhenConnected } from "../live/navigation-guard.ts";

/** The last resort: an error in our code shows a page with a way out instead of a blank one. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="failure" role="alert">
        <h1 className="failure-title">{t("error.title")}</h1>
        <p>{t("error.screen")}</p>
        <Button onClick={() => void leaveWhenConnected(() => location.reload())}>{t("error.reload")}</Button>
      </div>
    );
  }
}
