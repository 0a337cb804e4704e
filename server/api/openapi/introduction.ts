// The conventions of the API on one page, in Markdown, for readers of the OpenAPI document.

export const introduction = `Records are read and written as JSON below one base address. Every call is made as a person: it can do what the roles of that person allow, narrowed by the scopes of the token.

### Credentials

Send \`Authorization: Bearer <token>\` with every request, and \`account: <account id>\` to choose the account the call works in; without it the call works in the account of the person. \`X-Xurrent-Account\` and \`X-4me-Account\` mean the same as \`account\`. A token allows actions of the form \`<record-type>:<Operation>\`, for example \`person:Read\`; each operation below names the one it needs.

### Reading

| To | Write |
|---|---|
| choose fields | \`?fields=name,team\` |
| sort | \`?sort=name,-created_at\` |
| use a predefined filter | \`/people/enabled\` or \`/people?state=enabled\` |
| filter: equal, not equal | \`?name=Ada\`, \`?name=!Ada\` |
| empty, present | \`?manager=\`, \`?manager=!\` |
| one of, none of | \`?site=1,2\`, \`?site=!1,2\` (numbers, references, enumerations) |
| less, greater, between | \`?created_at=<2031-01-01\`, \`?created_at=>=2031-01-01T00:00:00Z<=2031-01-31T23:59:59Z\` |
| walk through pages | follow \`rel="next"\` of the \`Link\` header, or \`?search_after=<X-Pagination-End-Cursor>\` |
| save traffic | send the \`ETag\` of an earlier answer as \`Etag\` or \`If-None-Match\`: 304 when nothing changed |

Several conditions must all hold. \`.json\` or a slash at the end of a path changes nothing.

### Writing

Bodies are JSON; forms and multipart forms are read too. A reference is written in any of three ways that mean the same: \`"team_id": 7\`, \`"team": 7\` and \`"team": {"id": 7}\`. A list of references is replaced as a whole: \`"team_ids": [7, 8]\`, or \`"teams": [7, {"id": 8}]\`. Values may come as strings (\`"true"\`, \`"12"\`); \`null\` or \`""\` clears a field. Members that are unknown or readonly are ignored and named in the header \`X-Ignored-Fields\`; with \`Prefer: handling=strict\` they are a 422.

### Errors and limits

An error has a \`message\`; a 422 also has \`errors\`, pairs of a field and a sentence. A person has 3600 requests an hour and 20 in two seconds unless the installation says otherwise; every answer tells where you stand in \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`, and a 429 says in \`Retry-After\` how long to wait.`;
