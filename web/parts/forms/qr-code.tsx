import encodeQR from "qr";

/** One path for all black squares. */
const drawSquares = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : []))).join("");

/** Black on white in both themes: cameras need the contrast. */
export function QrCode({ text, label, size = 120 }: { text: string; label: string; size?: number }) {
  const rows = encodeQR(text, "raw", { ecc: "quartile", border: 2 });
  return (
    <svg
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      width={size}
      height={size}
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={drawSquares(rows)} fill="#000" />
    </svg>
  );
}
