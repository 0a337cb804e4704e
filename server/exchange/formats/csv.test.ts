import { expect, test } from "vitest";
import { type CsvRow, parseCsv } from "./csv.ts";
import { decodeText } from "./text-encoding.ts";

// IE5: the CSV that spreadsheets write in each of our languages, in chunks of any length.

const utf8 = (text: string) => Buffer.from(text);
const utf16le = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const utf16be = (text: string) => utf16le(text).swap16();
const windows1252 = (text: string) => Buffer.from(text.replaceAll("€", "\x80").replaceAll("’", "\x92"), "latin1");

async function readRows(bytes: Buffer, size: number): Promise<CsvRow[]> {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const read: CsvRow[] = [];
  for await (const row of parseCsv(decodeText(pieces(), () => {}))) read.push(row);
  return read;
}

async function expectRows(bytes: Buffer, rows: readonly (readonly string[])[], firstLine = 1): Promise<void> {
  for (const size of [1, 2, 3, 5, 1000]) {
    const read = await readRows(bytes, size);
    expect([read[0]?.line, read.map(({ cells }) => cells)], `pieces of ${size}`).toEqual([firstLine, rows]);
  }
}

const rows = [
  ["Name", "Remarks"],
  ["Zoë’s café", "5 €, due"],
];

for (const [separator, name] of [
  [",", "commas"],
  [";", "semicolons"],
  ["\t", "tabs"],
] as const) {
  const text = `Name${separator}Remarks\r\nZoë’s café${separator}"5 €, due"\r\n`;
  for (const [encoding, encode] of Object.entries({ utf8, utf16le, utf16be, windows1252 }))
    test(`IE5: cells separated by ${name} are read in ${encoding}`, () => expectRows(encode(text), rows));
  test(`IE5: a first line names ${name}, after a byte order mark as well`, async () => {
    await expectRows(utf8(`\ufeffsep=${separator}\r\n${text}`), rows, 2);
    await expectRows(utf8(`SEP=${separator}\n${text}`), rows, 2);
    await expectRows(utf16le(`sep=${separator}\r\n${text}`), rows, 2);
  });
}

test("IE5: separators in quoted headers and in the rows do not count", async () => {
  await expectRows(utf8('"a;b;c",d\n"x;y;z;",1\n'), [
    ["a;b;c", "d"],
    ["x;y;z;", "1"],
  ]);
  await expectRows(utf8('"a,\nb,""c,d,""";e\n1,2,3;4\n'), [
    ['a,\nb,"c,d,"', "e"],
    ["1,2,3", "4"],
  ]);
  await expectRows(utf8('5" pipe;b\n1;2\n'), [
    ['5" pipe', "b"],
    ["1", "2"],
  ]);
});

test("IE5: a file with one column has no separator, with any content of its rows", async () => {
  await expectRows(utf8("Name\na;b\n"), [["Name"], ["a;b"]]);
  await expectRows(utf8("Name"), [["Name"]]);
});

test("IE5: a last letter in Windows-1252 needs no line end, a truncated character is refused", async () => {
  await expectRows(windows1252("Name\nCafé"), [["Name"], ["Café"]]);
  await expect(readRows(Buffer.from([...utf8("Name\nX"), 0xe2, 0x82]), 3)).rejects.toThrow(
    "line 2: invalid byte sequence",
  );
});
