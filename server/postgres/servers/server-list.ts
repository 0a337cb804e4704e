import { OperatorError } from "../../base/errors.ts";

// DATABASE_URL may name several servers, as libpq allows: postgres://user:password@one:5432,two:5432/steward. At any moment
// one of them takes changes; after a failover it is another one (open-client.ts looks for it).

export type ServerList = {
  /** an address of its own for each server */
  readonly urls: readonly string[];
  /** every new connection checks that its server takes changes */
  readonly isChecked: boolean;
  /** the server that took changes last */
  current: number;
  /** none took changes when they were asked last */
  isLost: boolean;
};

const knownLists = new Map<string, ServerList>();

/** The servers of an address. All connections of a process share what one of them has found. */
export function listServers(url: string): ServerList {
  let list = knownLists.get(url);
  if (list === undefined) {
    list = parseServers(url);
    knownLists.set(url, list);
  }
  return list;
}

const form = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/i;

export function parseServers(url: string): ServerList {
  const match = form.exec(url);
  if (match === null) return { urls: [url], isChecked: false, current: 0, isLost: false };
  const [, scheme = "", user = "", authority = "", path = "", query = ""] = match;
  const parameters = query.split("&").filter((part) => part !== "");
  const find = (name: string): string | undefined => {
    const part = parameters.find((each) => each.startsWith(`${name}=`));
    return part === undefined ? undefined : decodeURIComponent(part.slice(name.length + 1));
  };
  const wanted = find("target_session_attrs");
  if (wanted !== undefined && !["any", "read-write", "primary"].includes(wanted))
    throw new OperatorError(
      `DATABASE_URL: target_session_attrs must be read-write, primary or any, not "${wanted}": the service changes data.`,
    );
  const places = find("host")?.split(",") ?? authority.split(",");
  const rest = parameters.filter((part) => !/^(host|port|target_session_attrs)=/.test(part));
  const isChecked = places.length > 1 || (wanted !== undefined && wanted !== "any");
  if (!isChecked) return { urls: [url], isChecked, current: 0, isLost: false };
  const build = (host: string, own: readonly string[]): string => {
    const all = [...rest, ...own].join("&");
    return `${scheme}${user}${host}${path}${all === "" ? "" : `?${all}`}`;
  };
  if (find("host") === undefined) {
    const port = find("port");
    const own = port === undefined ? [] : [`port=${port}`];
    return { urls: places.map((place) => build(place, own)), isChecked, current: 0, isLost: false };
  }
  // One port for each host, or one for all of them.
  const ports = (find("port") ?? "5432").split(",");
  if (ports.length !== 1 && ports.length !== places.length)
    throw new OperatorError(`DATABASE_URL names ${places.length} hosts, but ${ports.length} ports.`);
  const urls = places.map((place, index) =>
    build("", [`host=${encodeURIComponent(place)}`, `port=${ports[index] ?? ports[0]}`]),
  );
  return { urls, isChecked, current: 0, isLost: false };
}
