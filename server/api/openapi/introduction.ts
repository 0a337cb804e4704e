// The conventions of the API on one page, in Markdown, for readers of the OpenAPI document.

export const introduction = `Records are read and written as JSON under one base URL. Every call is made on behalf of a person: it's limited to what the roles of that person and the scopes of the token allow.

### Credentials

Send \`Authorization: Bearer <token>\` with every call. To select the account to work in, send \`account: <account id>\`; the default is the account of the person. \`X-Xurrent-Account\` and \`X-4me-Account\` are aliases of \`account\`. The scopes of a token have the form \`<record-type>:<Operation>\`, for example \`person:Read\`; each operation below lists the scopes it requires.

### Reading

| To | Use |
|---|---|
| select fields | \`?fields=name,team\` |
| sort | \`?sort=name,-created_at\` |
| use a predefined filter | \`/people/enabled\` or \`/people?state=enabled\` |
| filter: equal, not equal | \`?name=Ada\`, \`?name=!Ada\` |
| empty, present | \`?manager=\`, \`?manager=!\` |
| one of, none of | \`?site=1,2\`, \`?site=!1,2\` (numbers, references, enumerations) |
| less than, greater than, between | \`?created_at=<2031-01-01\`, \`?created_at=>=2031-01-01T00:00:00Z<=2031-01-31T23:59:59Z\` |
| paginate | follow the \`rel="next"\` link in the \`Link\` header, or use \`?search_after=<X-Pagination-End-Cursor>\` |
| avoid repeated downloads | send the \`ETag\` of an earlier response as \`Etag\` or \`If-None-Match\`; the response is 304 if nothing has changed |

If a query has several conditions, records must meet all of them. A trailing \`.json\` or slash in a path has no effect.

### Writing

Bodies are JSON; forms and multipart forms are also accepted. A reference can be written in three equivalent ways: \`"team_id": 7\`, \`"team": 7\` and \`"team": {"id": 7}\`. Writing a list of references replaces the whole list: \`"team_ids": [7, 8]\`, or \`"teams": [7, {"id": 8}]\`. Values can be sent as strings (\`"true"\`, \`"12"\`); \`null\` or \`""\` clears a field. Unknown and read-only members are ignored and listed in the \`X-Ignored-Fields\` header; with \`Prefer: handling=strict\` they cause a 422.

### Errors and limits

An error has a \`message\`; a 422 also has \`errors\`, a list of pairs of a field and a message. By default, a person can make 3600 calls per hour and 20 calls in two seconds. Every response contains the current status in \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`, and a 429 specifies in \`Retry-After\` how long to wait.`;
