import { Component, type ReactNode } from "react";
import { t } from "../words.ts";

/** An error in the script must not leave an empty page: it says so, and offers to load the page again. */
export class ErrorGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="wrap narrow">
        <div className="panel" role="alert">
          <h1>{t("error.title")}</h1>
          <p>{t("error.lead")}</p>
          <button type="button" className="button primary" onClick={() => location.reload()}>
            {t("error.reload")}
          </button>
        </div>
      </main>
    );
  }
}
