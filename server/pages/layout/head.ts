import { type Html, html } from "./html.ts";
import { iconAddress, styleAddress } from "./style.ts";

export const renderHead = (title: string): Html => html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Steward</title>
<link rel="icon" href="${iconAddress}" type="image/svg+xml">
<link rel="stylesheet" href="${styleAddress}">
</head>`;
