/**
 * The strongly connected components of a graph (Tarjan), each after those that its nodes point to; without recursion, so
 * that a long chain does not exhaust the stack. `targets`: by node, the nodes that it points to
 */
export function findComponents(targets: readonly (readonly number[])[]): number[][] {
  const components: number[][] = [];
  const order = new Int32Array(targets.length).fill(-1);
  const lowest = new Int32Array(targets.length);
  const isOpen = new Uint8Array(targets.length);
  const open: number[] = [];
  let visited = 0;
  const visit = (node: number) => {
    order[node] = visited;
    lowest[node] = visited++;
    isOpen[node] = 1;
    open.push(node);
    return { node, next: 0 };
  };
  for (let root = 0; root < targets.length; root++) {
    if (order[root] !== -1) continue;
    const path = [visit(root)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node } = step;
      const target = targets[node]?.[step.next++];
      if (target !== undefined) {
        if (order[target] === -1) path.push(visit(target));
        else if (isOpen[target] === 1) lowest[node] = Math.min(lowest[node] as number, order[target] as number);
        continue;
      }
      path.pop();
      const caller = path.at(-1)?.node;
      if (caller !== undefined) lowest[caller] = Math.min(lowest[caller] as number, lowest[node] as number);
      if (lowest[node] !== order[node]) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const member of component) isOpen[member] = 0;
      components.push(component);
    }
  }
  return components;
}
