import { describe, expect, test } from "vitest";
import { renderMarkup } from "../base/markup/index.ts";
import { extractReply } from "./extract-reply.ts";
import { htmlToMarkup } from "./html-to-markup.ts";
import { parseParameters } from "./parameters.ts";
import { parseMessage } from "./parse-message.ts";

const markup = (html: string) => htmlToMarkup(html, (id) => (id === "a@b" ? "KEY" : null));

describe("HTML is converted to our markup", () => {
  // biome-ignore format: a table keeps its columns
  const cases: readonly [html: string, markup: string][] = [
    ["Hello <b>big </b>world",                            "Hello **big** world"],
    ["<strong><em>both</em></strong> <s>not</s>",         "**__both__** ~not~"],
    ["<b>over<br>two lines</b>",                          "**over**\n**two lines**"],
    ["<b> </b><i></i>nothing",                            "nothing"],
    ["<p>one</p><p>two</p>",                              "one\n\ntwo"],
    ["<div>one</div><div><br></div><div>two</div>",       "one\n\ntwo"],
    ["a&nbsp;&nbsp;b\n  c &lt;b&gt; &eacute; &#128512;",  "a b c <b> é 😀"],
    ["<h2>Head</h2>text",                                 "## Head\n\ntext"],
    ["<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>d", "* a\n* b\n   * c\n\nd"],
    ["<ol><li>a<li>b</ol>",                               "1. a\n2. b"],
    ["<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> > b\n>\n\nc"],
    ["<pre>x\n  y</pre>z",                                "```\nx\n  y\n```\n\nz"],
    ["<table><tr><th>A<th>B<tr><td>1<td>2</table>",       "A | B\n1 | 2"],
    ['<a href="https://x.example/a b">here</a>!',         "[here](https://x.example/a%20b)!"],
    ['<a href="mailto:a@b.example">a@b.example</a>',      "a@b.example"],
    ['<a href="javascript:alert(1)">x</a>',               "x"],
    ['<a href="/local">x</a> <a href="https://x"> </a>',  "x"],
    ['<img src="cid:a%40b" alt="[a]"> <img src="cid:c" alt="c">', "![a](KEY) c"],
    ["<script>1<2</script><style>p{}</style>x<!-- y -->", "x"],
    ["<p>unclosed <b>bold",                               "unclosed **bold**"],
    ["</b></a></ul></blockquote></pre>x",                 "x"],
    ["1 < 2 & 3 > 2",                                     "1 < 2 & 3 > 2"],
  ];
  for (const [html, wanted] of cases) test(html, () => expect(markup(html).replace(/\ue000\n?/g, "")).toBe(wanted));

  test("the result for any HTML is shown without its tags", () => {
    const html =
      '<p onclick=x>a</p>&lt;script&gt;alert(1)&lt;/script&gt;<svg onload=x><a href="data:text/html,x">y</a>';
    expect(renderMarkup(markup(html))).not.toMatch(/<(script|svg|iframe)|onclick|data:/);
  });

  test("a hundred thousand repetitions take time proportional to their length", () => {
    const pieces = [
      "<b>x</b> ",
      '<a href="http://x">y</a> ',
      "&amp;",
      "<div>",
      "<blockquote>",
      "<ul><li>",
      "<td>",
      "<i>",
      "<br>",
      " <u> ",
    ];
    for (const piece of pieces) expect(markup(piece.repeat(100_000)).length).toBeLessThan(4_000_000);
    for (const line of [" ", "> ", "On ", "*", "#a: ", "-- \n", "From: x\n", "\t"])
      expect([extractReply(line.repeat(100_000)), parseParameters(line.repeat(100_000), true)]).toHaveLength(2);
  });
});

describe("the quoted part of a reply is removed", () => {
  // biome-ignore format: a table keeps its columns
  const cases: readonly [said: string, text: string, reply: string][] = [
    ["a date line",            "Yes.\n\nOn Mon, 3 Mar 2025 at 09:00, Ann <a@b> wrote:\n> Well?", "Yes."],
    ["a date line in two",     "Yes.\n\nOn Monday, 3 March 2025 at 09:00 Ann\n<a@b.example> wrote:\n> Well?", "Yes."],
    ["in German",              "Ja.\n\nAm 03.03.25 um 09:00 schrieb Ann:\n> Und?", "Ja."],
    ["an original message",    "Yes.\n\n-----Original Message-----\nFrom: x\nWell?", "Yes."],
    ["the head of a message",  "Yes.\n\nFrom: Ann\nSent: Monday\nTo: Rita\nSubject: Well\n\nWell?", "Yes."],
    ["a line of ours",         "Yes.\n\n-- Please reply above this line --\nWell?", "Yes."],
    ["bare quotes",            "Yes.\n\n> Well?\n> Ann", "Yes."],
    ["a signature",            "Yes.\n-- \nRita\nSales", "Yes."],
    ["answers between quotes", "On Monday Ann wrote:\n> One?\nYes.\n> Two?\nNo.", "On Monday Ann wrote:\n> One?\nYes.\n> Two?\nNo."],
    ["nothing but quotes",     "> Well?", "> Well?"],
    ["nothing to cut",         "On the whole, I wrote: nothing.\nFrom: here", "On the whole, I wrote: nothing.\nFrom: here"],
  ];
  for (const [said, text, reply] of cases) test(said, () => expect(extractReply(text)).toBe(reply));
});

test("any bytes give a message, or an error with the reason", async () => {
  const seed = [
    ...["From: a@b.example", "Content-Type: multipart/mixed; boundary=x", "", "--x", "Content-Type: text/html", ""],
    ...["<p>Hi</p>", "--x", 'Content-Disposition: attachment; filename="a.txt"', "Content-Transfer-Encoding: base64"],
    ...["", "aGVsbG8=", "--x--", ""],
  ].join("\r\n");
  let state = 7;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  for (let round = 0; round < 2000; round++) {
    const bytes = Buffer.from(seed);
    for (let at = 0; at < 1 + next(20); at++) bytes[next(bytes.length)] = next(256);
    const message = await parseMessage(new Uint8Array(bytes.subarray(0, next(bytes.length) + 1)), "nonce").catch(
      (error: unknown) => error,
    );
    if (message instanceof Error) expect(message.message).not.toBe("");
    else expect(JSON.stringify(message)).not.toContain("\\u0000");
  }
});
