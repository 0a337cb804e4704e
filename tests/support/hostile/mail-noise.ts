import type { Noise } from "./noise.ts";

// Random emails: envelopes, headers and parts, over a connection that may break at any point.

export type NoisyMail = {
  /** commands and data in the order of sending */
  lines: readonly (string | Buffer)[];
};

const domain = "mail.widget.example";

function buildAddress(noise: Noise): string {
  return noise.pick([
    "rita@widget.example",
    "sam@widget.example",
    "stella@stranger.example",
    `widget-it@${domain}`,
    `stranger@${domain}`,
    "",
    noise.text().replace(/[\r\n]/g, " "),
  ]);
}

const headerNames = ["Subject", "From", "To", "Cc", "Reply-To", "Message-ID", "In-Reply-To", "References", "Date"];
const moreHeaders = ["Auto-Submitted", "Authentication-Results", "Content-Type", "Content-Transfer-Encoding", "X-Loop"];
const types = [
  "text/plain",
  "text/html",
  "multipart/mixed; boundary=b",
  "multipart/alternative; boundary=b",
  "message/rfc822",
];

function buildPart(noise: Noise, depth: number): string {
  const type = noise.chance(0.7) ? noise.pick(types) : noise.text().replace(/\s/g, " ");
  const encoding = noise.pick(["7bit", "base64", "quoted-printable", "8bit", "x-none"]);
  const file = noise.chance(0.3)
    ? `\r\nContent-Disposition: attachment; filename="${noise.text().replace(/[\r\n"]/g, "")}"`
    : "";
  const body = depth > 0 && noise.chance(0.3) ? buildParts(noise, depth - 1) : buildText(noise);
  return `Content-Type: ${type}; charset=${noise.pick(["utf-8", "klingon", "iso-8859-1", "utf-16"])}\r\nContent-Transfer-Encoding: ${encoding}${file}\r\n\r\n${body}\r\n`;
}

const buildParts = (noise: Noise, depth: number): string =>
  `${noise.times(4, () => `--b\r\n${buildPart(noise, depth)}`).join("")}${noise.chance(0.7) ? "--b--\r\n" : ""}`;

function buildText(noise: Noise): string {
  const text = noise.chance(0.1) ? noise.longText() : noise.times(6, () => noise.text()).join("\r\n");
  const parameters = noise.chance(0.2)
    ? `\r\n#${noise.pick(["impact", "team", "from", "markdown", "x"])}: ${noise.text()}`
    : "";
  return (text + parameters).replace(/\r?\n\.(\r?\n|$)/g, "\r\n..\r\n").replace(/.{900}/gs, "$&\r\n");
}

export function buildNoisyMail(noise: Noise): NoisyMail {
  const headers = noise.times(8, () => {
    const name = noise.chance(0.9)
      ? noise.pick([...headerNames, ...moreHeaders])
      : noise.text().replace(/[\r\n:]/g, "");
    const value = noise.chance(0.5) ? buildAddress(noise) : noise.text();
    return `${name}: ${value.replace(/\r?\n/g, "\r\n ")}`;
  });
  const known = noise.chance(0.8)
    ? ["From: rita@widget.example", `Subject: ${noise.text().replace(/[\r\n]/g, " ")}`]
    : [];
  const body = noise.chance(0.5) ? buildParts(noise, 3) : buildText(noise);
  const content = noise.chance(0.5) ? ["Content-Type: multipart/mixed; boundary=b"] : [];
  const data = `${[...known, ...content, ...headers].join("\r\n")}\r\n\r\n${body}`;
  const recipient = noise.chance(0.85) ? `widget-it@${domain}` : buildAddress(noise);
  const lines: (string | Buffer)[] = [
    `${noise.pick(["EHLO", "EHLO", "HELO"])} client.example`,
    `MAIL FROM:<${noise.chance(0.8) ? "rita@widget.example" : buildAddress(noise)}>`,
    `RCPT TO:<${recipient}>`,
    "DATA",
    Buffer.from(data, noise.chance(0.8) ? "utf8" : "latin1"),
    ".",
  ];
  if (noise.chance(0.1)) lines.splice(noise.below(lines.length), 0, noise.text().replace(/[\r\n]/g, " "));
  return { lines };
}
