import { Component, type ReactNode } from "react";
import { reloadForMissingCode } from "../../elements/load-code.ts";
import { t } from "../../languages/index.ts";

type Props = {
  /** the row's data: new data is rendered again */
  row: unknown;
  /** renders the row inside the boundary; an error in elements that the list creates itself would break the list */
  children(): ReactNode;
  /** the element that the list expects instead of the row; a list item by default */
  frame?(notice: ReactNode): ReactNode;
};

const RowContent = ({ draw }: { draw(): ReactNode }) => draw();
const putIntoItem = (notice: ReactNode) => <li>{notice}</li>;
/** For rows whose element the list creates itself. */
export const putInPlace = (notice: ReactNode) => notice;
export const putIntoPanel = (notice: ReactNode) => <div className="panel">{notice}</div>;
/** For the rows of a table with that number of columns. */
export const putIntoTableRow = (columns: number) => (notice: ReactNode) => (
  <tr>
    <td colSpan={columns}>{notice}</td>
  </tr>
);

/** A row that fails to render shows a notice in its place. The other rows and the page stay (D-791). */
export class RowBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
    reloadForMissingCode(error);
  }

  override componentDidUpdate({ row }: Props) {
    if (this.state.hasFailed && row !== this.props.row) this.setState({ hasFailed: false });
  }

  override render() {
    const { children, frame = putIntoItem } = this.props;
    if (!this.state.hasFailed) return <RowContent draw={children} />;
    return frame(<span className="row-failure">{t("error.row")}</span>);
  }
}
