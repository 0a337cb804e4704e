import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { renderMarkup, toPlainText } from "./index.ts";

const rel = 'rel="noopener noreferrer nofollow"';

describe("CV24: the marks of text fields, row by row", () => {
  // biome-ignore format: a table keeps its columns
  const rows: [name: string, markup: string, html: string][] = [
    ["bold",               "a **x** b",                    "<p>a <strong>x</strong> b</p>"],
    ["italic",             "__x__",                        "<p><em>x</em></p>"],
    ["underline",          "+x+",                          "<p><u>x</u></p>"],
    ["strikethrough",      "~x~",                          "<p><s>x</s></p>"],
    ["monospace",          "`**x** <b>`",                  "<p><code>**x** &lt;b&gt;</code></p>"],
    ["text colour",        "<c #FF00aa>x</c>",             '<p><span style="color:#ff00aa">x</span></p>'],
    ["background colour",  "<m #00FF00>x</m>",             '<p><span style="background-color:#00ff00">x</span></p>'],
    ["numbered list",      "7. a\n7. b",                   "<ol><li>a</li><li>b</li></ol>"],
    ["nested numbers",     "1. a\n   1. b\n2. c",          "<ol><li>a<ol><li>b</li></ol></li><li>c</li></ol>"],
    ["bulleted list",      "* a\n* b",                     "<ul><li>a</li><li>b</li></ul>"],
    ["nested bullets",     "* a\n  * b\n* c",              "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"],
    ["quote",              "> a\n> b",                     "<blockquote><p>a<br>b</p></blockquote>"],
    ["code block",         "```\n<i> **x**\n\n  y\n```",   "<pre><code>&lt;i&gt; **x**\n\n  y</code></pre>"],
    ["heading 1",          "# x",                          "<h1>x</h1>"],
    ["heading 6",          "###### x",                     "<h6>x</h6>"],
    ["horizontal rule",    "a\n\n---\n\nb",                "<p>a</p>\n<hr>\n<p>b</p>"],
    ["link",               "[a **b**](https://x.org/?a&b)", `<p><a href="https://x.org/?a&amp;b" ${rel}>a <strong>b</strong></a></p>`],
    ["image",              "![a \"b\"](https://x.org/y.png)", '<p><img src="https://x.org/y.png" alt="a &quot;b&quot;"></p>'],
    ["table",              "<table><tr><th>\nA\n</th></tr><tr><td>\n**b**\n</td></tr></table>",
                                                           "<table><tr><th>A</th></tr><tr><td><strong>b</strong></td></tr></table>"],
  ];
  test.each(rows)("%s", (_, markup, html) => {
    assert.equal(renderMarkup(markup), html);
  });

  test("a mention is a link @name", () => {
    const mention = (id: number) => ({ href: `/people/${id}` });
    assert.equal(renderMarkup("<@12|Ann Lee>", { mention }), `<p><a href="/people/12" ${rel}>@Ann Lee</a></p>`);
    assert.equal(renderMarkup("<@12|Ann Lee>", { mention: () => null }), "<p>@Ann Lee</p>");
  });

  test("a record link is a link only for readers who may see the record", () => {
    const link = (type: string, id: number) => ({ href: `/${type}s/${id}`, label: "Disk <full>" });
    assert.equal(
      renderMarkup("<problem#5501>", { link }),
      `<p><a href="/problems/5501" ${rel}>Disk &lt;full&gt;</a></p>`,
    );
    assert.equal(renderMarkup("<problem#5501>", { link: () => null }), "<p>&lt;problem#5501&gt;</p>");
    assert.equal(renderMarkup("<problem#5501>"), "<p>&lt;problem#5501&gt;</p>");
  });

  test("an email contains the descriptions of images, not the images", () => {
    const written = "![a pixel](https://x.org/y.gif) ![](attachments/1/fire.png) **b**";
    assert.equal(renderMarkup(written, { withoutImages: true }), "<p>a pixel fire.png <strong>b</strong></p>");
  });

  test("an inline image is identified by its key, and an unknown key shows no image", () => {
    const key = "attachments/1/2025/03/03/7/1741-ab/my picture (1).png";
    const image = (asked: string) => (asked === key ? "/files/1?signature=a&expires=2" : null);
    assert.equal(
      renderMarkup(`![](${key})`, { image }),
      '<p><img src="/files/1?signature=a&amp;expires=2" alt=""></p>',
    );
    assert.equal(renderMarkup("![cat](attachments/other.png)", { image }), "<p>cat</p>");
    assert.equal(renderMarkup("![](attachments/other.png)", { image }), "<p>other.png</p>");
  });
});

describe("blocks", () => {
  test("headings, rules, code and tables need a blank line before and after", () => {
    assert.equal(renderMarkup("# a\nb"), "<p># a<br>b</p>");
    assert.equal(renderMarkup("a\n# b"), "<p>a<br># b</p>");
    assert.equal(renderMarkup("a\n---\nb"), "<p>a<br>---<br>b</p>");
    assert.equal(
      renderMarkup("a\n<table><tr><td>b</table>"),
      "<p>a<br>&lt;table&gt;&lt;tr&gt;&lt;td&gt;b&lt;/table&gt;</p>",
    );
    assert.doesNotMatch(renderMarkup("a\n```\nb\n```\n\nc"), /<pre>/);
    assert.equal(renderMarkup("```\nb"), "<p>```<br>b</p>");
  });

  test("lists and quotes may follow a line of text", () => {
    assert.equal(renderMarkup("Steps:\n* a\nDone"), "<p>Steps:</p>\n<ul><li>a</li></ul>\n<p>Done</p>");
    assert.equal(
      renderMarkup("He said\r\n> a\r\n>> b"),
      "<p>He said</p>\n<blockquote><p>a</p>\n<blockquote><p>b</p></blockquote></blockquote>",
    );
  });

  test("a list continues after blank lines and further lines of an item", () => {
    assert.equal(renderMarkup("1. a\n\n2. b\n   more\n\nend"), "<ol><li>a</li><li>b<br>more</li></ol>\n<p>end</p>");
  });

  test("kinds of lists mix, and a new kind at the same level is a new list", () => {
    assert.equal(renderMarkup("1. a\n   * b\n* c"), "<ol><li>a<ul><li>b</li></ul></li></ol>\n<ul><li>c</li></ul>");
  });

  test("a table may be indented, contain lists and omit closing tags", () => {
    const table = "<table>\n  <tr>\n    <th>\n      A\n    <td>\n      * x\n      * y\n</table>";
    assert.equal(renderMarkup(table), "<table><tr><th>A</th><td><ul><li>x</li><li>y</li></ul></td></tr></table>");
  });

  test("a table with other tags in it is text", () => {
    for (const inside of ["x", "<tr>x<td>y", "<td>x", '<tr><td onclick="x">y', "<tr><td>a<table>"]) {
      assert.doesNotMatch(renderMarkup(`<table>${inside}</table>`), /<t/, inside);
    }
  });

  test("an empty text renders as nothing", () => {
    assert.equal(renderMarkup(""), "");
    assert.equal(renderMarkup(" \n\t\n"), "");
  });
});

describe("running text", () => {
  // biome-ignore format: a table keeps its columns
  const plain = ["1 + 1 + 1", "1+1+1", "C++ and D++", "a ~5 or ~6", "some__file__name", "2 ** 3 ** 4", "****", "** a **", "`a", "[a] (b)", "[a]", "[](http://x)", "<c red>x", "x +", "#1 is down", "*a"];
  test.each(plain)("%s stays as it is", (text) => {
    assert.equal(renderMarkup(text), `<p>${text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`);
  });

  test("marks nest, and overlapping marks stay text", () => {
    assert.equal(renderMarkup("**a __b__ +c+**"), "<p><strong>a <em>b</em> <u>c</u></strong></p>");
    assert.equal(renderMarkup("**a __b** c__"), "<p><strong>a __b</strong> c__</p>");
    assert.equal(renderMarkup("**a\nb**"), "<p><strong>a<br>b</strong></p>");
  });

  test("links never nest", () => {
    assert.equal(renderMarkup("[a [b](/c) d](/e)"), `<p>[a <a href="/c" ${rel}>b</a> d](/e)</p>`);
    const mention = () => ({ href: "/people/1" });
    assert.equal(renderMarkup("[<@1|A>](/e)", { mention }), `<p>[<a href="/people/1" ${rel}>@A</a>](/e)</p>`);
    assert.match(renderMarkup("[![x](/y.png)](/z)"), /^<p><a href="\/z" [^>]*><img src="\/y.png" alt="x"><\/a><\/p>$/);
  });

  test("addresses may contain balanced brackets", () => {
    assert.match(renderMarkup("[a](https://x.org/b_(c))"), /href="https:\/\/x.org\/b_\(c\)"/);
  });

  test.each([
    "http://x.org",
    "HTTPS://x.org/a",
    "mailto:a@x.org",
    "tel:+31201234567",
    "/a/b",
    "a/b?c=d:e#f",
    "#top",
    "?a=b",
  ])("%s may be linked", (address) => assert.match(renderMarkup(`[a](${address})`), /<a href=/));
});

describe("hostile text is inert", () => {
  const addresses = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\u0000script:alert(1)",
    "\u0001javascript:alert(1)",
    "\u200bjavascript:alert(1)",
    "javascript&#58;alert(1)",
    "javascript&colon;alert(1)",
    "&#106;avascript:alert(1)",
    "javascript%3Aalert(1)",
    "vbscript:msgbox(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml,<svg/onload=alert(1)>",
    "file:///etc/passwd",
    "blob:https://x.org/1",
    "http:javascript:alert(1)",
    "\\\\evil.example\\a",
    "x:y",
  ];
  test.each(addresses)("%j is no address", (address) => {
    assert.doesNotMatch(renderMarkup(`[a](${address})`), /<a/);
    assert.doesNotMatch(renderMarkup(`![a](${address})`), /<img/);
    assert.doesNotMatch(renderMarkup("<@1|A>", { mention: () => ({ href: address }) }), /<a/);
  });

  const texts = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '[a](http://x" onmouseover="alert(1))',
    '![" onerror="alert(1)](http://x)',
    "<c #ff0000;background:url(x)>a</c>",
    '<c #ff0000" onclick="x">a</c>',
    "<@1|<script>alert(1)</script>>",
    "**<b>**</b>",
    "`</code><script>`",
    "```\n</code></pre><script>\n```",
    "<table><tr><td>\n<script>x</script>\n</td></tr></table>",
    "<!--",
    "<![CDATA[",
    "<?php",
    "&lt;script&gt;",
  ];
  test.each(texts)("%j", (text) => void assertOnlyAllowed(renderMarkup(text, everything)));

  test("CV24: any text gives balanced HTML of the allowed tags, and plain text never fails", () => {
    fc.assert(
      fc.property(markupLike, (text) => {
        assertOnlyAllowed(renderMarkup(text, everything));
        assertOnlyAllowed(renderMarkup(text));
        toPlainText(text);
      }),
      { numRuns: 400 },
    );
  });
});

describe("long texts", () => {
  const length = 65_536;
  // biome-ignore format: a table keeps its columns
  const bits = ["[", "]", "*", "** ", "+a ", "_", "__a", "`", "` `` ", "<", "<@1|", "<aaa", ">", ">\n", "> > ", "](", "[](", "![](", "[a](b(", "[a](b)", "[**x](y) ",
                "<c #ff0000>", "<c #ff0000>a</c>", "* a\n", "1. a\n", "```\n\n", "<table>\n\n", "<table><tr><td>\n", "# a\n\n", "\n", " ", "#", "&", "\u{1f600}"];
  const texts: Record<string, string> = {
    "links around links": "[".repeat(length / 2) + "[a](b)".repeat(length / 12),
    "marks in marks": "+a ".repeat(length / 6) + "a+ ".repeat(length / 6),
    "deep lists": Array.from({ length: 360 }, (_, depth) => `${" ".repeat(depth)}* a`).join("\n"),
    "deep quotes": Array.from({ length: 360 }, (_, depth) => `${">".repeat(depth)} a`).join("\n"),
  };
  for (const bit of bits) texts[bit] = bit.repeat(Math.ceil(length / bit.length)).slice(0, length);

  test.each(Object.entries(texts))("%j takes work in proportion to its length", (_, text) => {
    // Processor time, not wall time, and far above the 10 to 60 ms it takes: quadratic work takes minutes.
    const before = process.cpuUsage();
    const html = renderMarkup(text);
    toPlainText(text);
    assert.ok(process.cpuUsage(before).user < 2_000_000);
    assert.ok(html.length < 20 * text.length);
    assert.ok(assertOnlyAllowed(html) <= 30, "nests only so deep");
  });
});

test("plain text keeps the words and the addresses of links", () => {
  const text = [
    "# Title\n\nSee **the** [manual](https://x.org), [a@x.org](mailto:a@x.org) or <@5|Ann>: <problem#5501>",
    "5. a\n   1. b\n9. c",
    "> quoted\n> `code`",
    "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
    "![a cat](https://x.org/cat.png) <c #ff0000>red</c> & <b>",
  ].join("\n\n");
  const expected = [
    "Title\n\nSee the manual (https://x.org), a@x.org or @Ann: problem#5501",
    "1. a\n   1. b\n2. c",
    "> quoted\n> code",
    "A | B\n1 | 2",
    "a cat red & <b>",
  ].join("\n\n");
  assert.equal(toPlainText(text), expected);
});

const everything = {
  link: (type: string, id: number) => ({ href: `/${type}/${id}`, label: `"<${type}>"` }),
  mention: (id: number) => ({ href: `/people/${id}` }),
  image: (key: string) => `/files?key=${encodeURIComponent(key)}`,
};

const markupLike = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      // biome-ignore format: one line of bits
      fc.constantFrom("**", "__", "+", "~", "`", "```\n", "<c #ff0000>", "</c>", "<m #00ff00>", "</m>", "1. ", "   ", "* ", "> ", "# ", "---", "[", "](", ")", "![", "<@1|a>", "<problem#1>", "<table>", "</table>", "<tr>", "<td>", "</td>", "\n", "\n\n", "a", " ", '"', "'", "<script>", "javascript:", "http://x", "\u0000", "\ud800"),
    ),
    { maxLength: 40 },
  )
  .map((bits) => bits.join(""));

// biome-ignore format: a table keeps its columns
const allowed: Record<string, RegExp> = {
  a:    /^ href="([^"<>\s]+)" rel="noopener noreferrer nofollow"$/,
  img:  /^ src="([^"<>\s]+)" alt="[^"<>]*"$/,
  span: /^ style="(?:background-)?color:#[0-9a-f]{6}"$/,
};
const schemes = ["http:", "https:", "mailto:", "tel:"];
const bare = "p h1 h2 h3 h4 h5 h6 hr br pre code blockquote ol ul li table tr th td strong em u s".split(" ");
const empty = ["br", "hr", "img"];

/** Reads the HTML as naively as can be and returns how deep it nests. */
function assertOnlyAllowed(html: string): number {
  const open: string[] = [];
  let depth = 0;
  const rest = html.replace(/<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g, (whole, slash, name, attributes) => {
    if (slash) {
      assert.equal(open.pop(), name, `${whole} closes what was opened last`);
      assert.equal(attributes, "");
      return "";
    }
    const shape = bare.includes(name) ? /^$/.exec(attributes) : allowed[name]?.exec(attributes);
    assert.ok(shape, whole);
    if (shape[1]) assert.ok(schemes.includes(schemeOf(shape[1])), whole);
    if (name === "a") assert.ok(!open.includes("a"), "no link in a link");
    if (!empty.includes(name)) open.push(name);
    depth = Math.max(depth, open.length);
    return "";
  });
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
  return depth;
}

/** The scheme as a browser would read it from the attribute. */
function schemeOf(attribute: string): string {
  const address = attribute.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
  return URL.parse(address, "https://steward.example/a/b")?.protocol ?? "https:"; // unreadable: leads nowhere
}
