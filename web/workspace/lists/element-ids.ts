// The ids by which the grid tells assistive technology which row or cell is active.

export const rowElementId = (index: number): string => `list-row-${index}`;
export const cellElementId = (index: number, column: string): string => `list-row-${index}-${column}`;
