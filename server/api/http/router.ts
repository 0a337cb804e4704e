import type { Route } from "./route.ts";

// There are some thousand routes. The framework's own router takes a quarter of a second to take them in, which every
// start of a server would pay; this one takes some milliseconds.

export type RouteMatch = { route: Route; params: Readonly<Record<string, string>> };

type Node = {
  fixed: Map<string, Node>;
  parameter: Node | null;
  end: { route: Route; names: readonly string[] } | null;
};

const createNode = (): Node => ({ fixed: new Map(), parameter: null, end: null });

/** Longer ones name nothing. */
const longestParameter = 500;

/** Finds the route of a path. Fixed segments go before parameters: `/people/me` before `/people/:id`. */
export class Router {
  private readonly roots = new Map<string, Node>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.add(route);
  }

  private add(route: Route): void {
    const root = this.roots.get(route.method) ?? createNode();
    this.roots.set(route.method, root);
    let node = root;
    const names: string[] = [];
    for (const segment of splitPath(route.path)) {
      const isParameter = segment.startsWith(":");
      const next: Node = (isParameter ? node.parameter : node.fixed.get(segment)) ?? createNode();
      if (isParameter) {
        names.push(segment.slice(1));
        node.parameter = next;
      } else node.fixed.set(segment, next);
      node = next;
    }
    if (node.end !== null) throw new Error(`two routes for ${route.method} ${route.path}`);
    node.end = { route, names };
  }

  /** `path`: as sent, below the prefix, without the query. */
  find(method: string, path: string): RouteMatch | null {
    const root = this.roots.get(method === "HEAD" ? "GET" : method);
    const segments = root === undefined ? null : decodeSegments(splitPath(path));
    if (root === undefined || segments === null) return null;
    const values: string[] = [];
    const end = findEnd(root, segments, 0, values);
    if (end === null) return null;
    const params: Record<string, string> = {};
    for (const [index, name] of end.names.entries()) params[name] = values[index] as string;
    return { route: end.route, params };
  }
}

const splitPath = (path: string): string[] => (path === "" ? [] : path.slice(1).split("/"));

function decodeSegments(segments: string[]): string[] | null {
  try {
    return segments.map((segment) => (segment.includes("%") ? decodeURIComponent(segment) : segment));
  } catch {
    return null;
  }
}

/** The end of the path in the tree; the values of its parameters are in `values` then. */
function findEnd(node: Node, segments: readonly string[], at: number, values: string[]): Node["end"] {
  const segment = segments[at];
  if (segment === undefined) return node.end;
  const fixed = node.fixed.get(segment);
  const end = fixed === undefined ? null : findEnd(fixed, segments, at + 1, values);
  if (end !== null || node.parameter === null || segment === "" || segment.length > longestParameter) return end;
  values.push(segment);
  const found = findEnd(node.parameter, segments, at + 1, values);
  if (found === null) values.pop();
  return found;
}
