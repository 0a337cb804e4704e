// What the server answers about the items around one.

export type Named = { id: number; name: string };
export type GraphItem = {
  id: number;
  label: string | null;
  name: string;
  status: string;
  product: Named;
  category: string | null;
  level: number;
  open_work: number;
};
export type GraphRelation = { id: number; of_ci: number; ci: number; relation_type: string };
export type GraphGroup = {
  of_ci: number;
  relation_type: string;
  product: Named;
  level: number;
  count: number;
  first: string;
  last: string;
};
export type CiGraph = {
  items: readonly GraphItem[];
  relations: readonly GraphRelation[];
  groups: readonly GraphGroup[];
  truncated: boolean;
};
