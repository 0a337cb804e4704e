import { Component, type ReactNode } from "react";
import { reloadForMissingCode } from "../../elements/load-code.ts";
import { leaveWhenConnected } from "../../live/navigation-guard.ts";
import { t } from "../words.ts";

type Props = {
  children: ReactNode;
  /** inside the frame, whose menu still leads to other pages */
  isPart?: boolean;
};

/** An error in the script must not leave an empty page: shows a message, and offers to reload. */
export class ErrorGuard extends Component<Props, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    reloadForMissingCode(error);
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    const Outer = this.props.isPart === true ? "div" : "main";
    return (
      <Outer className="wrap narrow">
        <div className="panel" role="alert">
          <h1>{t("error.title")}</h1>
          <p>{t("error.lead")}</p>
          <button
            type="button"
            className="button primary"
            onClick={() => void leaveWhenConnected(() => location.reload())}
          >
            {t("error.reload")}
          </button>
        </div>
      </Outer>
    );
  }
}
