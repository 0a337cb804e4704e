import type { ChartData } from "./chart-data.ts";

// A chart as a file: its numbers as CSV or tab-separated text, its picture as PNG. The picture is drawn from the
// numbers, not from the page, so it looks the same on every screen.

/** Raw numbers without units, because programs read them. */
function listRows(data: ChartData, title: string): string[][] {
  const isShare = data.format === "percent";
  const heads = data.series.flatMap((name) => (isShare ? [title, name] : [name]));
  return [
    [title, ...heads],
    ...data.rows.map(({ label, cells }) => [
      label,
      ...cells.flatMap(({ value, count }) => (isShare ? [String(value ?? ""), String(count)] : [String(value ?? "")])),
    ]),
  ];
}

/** A text that a spreadsheet would interpret as a formula is escaped. */
const writeCell = (text: string): string => {
  const safe = /^[=+@\t\r]|^-\D/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const writeCsv = (data: ChartData, title: string): string =>
  listRows(data, title)
    .map((row) => row.map(writeCell).join(","))
    .join("\r\n");

export const writeTabs = (data: ChartData, title: string): string =>
  listRows(data, title)
    .map((row) => row.map((cell) => cell.replace(/[\t\n\r]/g, " ")).join("\t"))
    .join("\n");

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const [width, rowHeight, labelWidth, valueWidth, pad] = [900, 30, 240, 110, 24];
const mostRows = 60;

type Colors = { surface: string; text: string; quiet: string; series: readonly string[] };

function readColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const role = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    surface: role("surface"),
    text: role("text"),
    quiet: role("text-2"),
    series: [role("accent"), role("teal-solid"), role("violet-solid"), role("grey-solid"), role("orange-solid")],
  };
}

/** A bar for each number, in the colors of the page; at twice the size, for paper and large screens. */
export async function drawPng(
  data: ChartData,
  title: string,
  subtitle: string,
  format: (value: number | null) => string,
): Promise<Blob> {
  const { surface, text, quiet, series } = readColors();
  const rows = data.rows.slice(0, mostRows);
  const each = Math.max(1, data.series.length);
  const legend = each > 1 ? 26 : 0;
  const height = pad * 2 + 56 + legend + rows.length * (rowHeight + (each - 1) * 14);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * 2, height * 2];
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("no canvas");
  pen.scale(2, 2);
  pen.fillStyle = surface;
  pen.fillRect(0, 0, width, height);
  const write = (words: string, x: number, y: number, color: string, font: string, most = width) => {
    pen.fillStyle = color;
    pen.font = `${font} "Inter Variable", Inter, sans-serif`;
    pen.fillText(words, x, y, most);
  };
  write(title, pad, pad + 16, text, "650 18px");
  write(subtitle, pad, pad + 38, quiet, "13px");
  if (legend > 0)
    data.series.forEach((name, at) => {
      pen.fillStyle = series[at % series.length] ?? "";
      pen.fillRect(pad + at * 180, pad + 54, 10, 10);
      write(name, pad + at * 180 + 16, pad + 63, quiet, "13px", 150);
    });
  const greatest = Math.max(1e-9, ...rows.flatMap(({ cells }) => cells.map(({ value }) => value ?? 0)));
  const full = width - 2 * pad - labelWidth - valueWidth;
  let y = pad + 56 + legend;
  for (const { label, cells } of rows) {
    write(label, pad, y + 14, text, "13px", labelWidth - 12);
    cells.forEach(({ value }, at) => {
      pen.fillStyle = series[at % series.length] ?? "";
      pen.fillRect(pad + labelWidth, y + at * 14 + 4, Math.max(1, ((value ?? 0) / greatest) * full), 11);
      write(format(value), pad + labelWidth + full + 10, y + at * 14 + 14, text, "13px", valueWidth - 10);
    });
    y += rowHeight + (each - 1) * 14;
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png"),
  );
}
