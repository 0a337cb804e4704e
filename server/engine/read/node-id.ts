export const buildNodeId = (domain: string, type: string, id: string | number): string =>
  Buffer.from(`${domain}/${type}/${id}`).toString("base64url");
