import { escapeHtml } from "../base/markup/index.ts";

// Tables of names and figures in a mail.

/** `title` is empty where the names say enough; `isText`: the right column has words, not figures */
export type FigureTable = {
  title: string;
  rows: readonly (readonly [label: string, figure: string])[];
  isText?: boolean;
};

export const renderTablesAsText = (tables: readonly FigureTable[]): string[] =>
  tables.map(({ title, rows }) => {
    const width = Math.max(0, ...rows.map(([label]) => [...label].length));
    const lines = rows.map(([label, figure]) => `  ${label}${" ".repeat(width - [...label].length)}  ${figure}`);
    return [...(title === "" ? [] : [title]), ...(lines.length === 0 ? ["  –"] : lines)].join("\n");
  });

export const renderTablesAsHtml = (tables: readonly FigureTable[]): string[] =>
  tables.map(({ title, rows, isText = false }) => {
    const [labelStyle, style] = isText
      ? ["padding:2px 24px 2px 0;color:#5a6672;white-space:nowrap", "padding:2px 0"]
      : ["padding:2px 24px 2px 0", "padding:2px 0;text-align:right;font-variant-numeric:tabular-nums"];
    const lines = rows.map(([label, figure]) => {
      const value = isText ? escapeHtml(figure) : `<strong>${escapeHtml(figure)}</strong>`;
      return `<tr style="vertical-align:top"><td style="${labelStyle}">${escapeHtml(label)}</td><td style="${style}">${value}</td></tr>`;
    });
    const head = title === "" ? "" : `<h3 style="margin:1.2em 0 .3em;font-size:1em">${escapeHtml(title)}</h3>`;
    return `${head}${lines.length === 0 ? "<p>–</p>" : `<table style="border-collapse:collapse;margin:0 0 1em">${lines.join("")}</table>`}`;
  });
