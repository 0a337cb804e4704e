import { writeZip, type ZipEntry } from "./zip.ts";

// Writes a workbook of one sheet in which every cell is text, so that no cell is a formula.

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const fixedParts: Record<string, string> = {
  "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${namespace}" xmlns:r="${office}"><sheets><sheet name="Export" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/** the limit of spreadsheet programs */
const maxCellLength = 32_767;

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" };
const escapeXml = (text: string): string =>
  (text.length > maxCellLength ? text.slice(0, maxCellLength).toWellFormed() : text)
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>\r]/g, (character) => escapes[character] as string)
    // XML cannot contain these; spreadsheets have an escape of their own.
    .replace(
      /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}_`,
    );

const buildRow = (cells: readonly string[]): string =>
  `<row>${cells.map((cell) => (cell === "" ? "<c/>" : `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`)).join("")}</row>`;

async function* generateSheet(rows: AsyncIterable<readonly string[][]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${declaration}<worksheet xmlns="${namespace}"><sheetData>`);
  for await (const chunk of rows) yield Buffer.from(chunk.map(buildRow).join(""));
  yield Buffer.from("</sheetData></worksheet>");
}

async function* yieldOnce(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

export function writeXlsx(rows: AsyncIterable<readonly string[][]>, moment: Date): AsyncGenerator<Buffer> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [name, text] of Object.entries(fixedParts)) yield { name, bytes: yieldOnce(declaration + text) };
    yield { name: "xl/worksheets/sheet1.xml", bytes: generateSheet(rows) };
  }
  return writeZip(entries(), moment);
}
