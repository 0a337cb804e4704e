// The ids by which the grid identifies the active row or cell to assistive technology.

export const rowElementId = (index: number): string => `list-row-${index}`;
export const cellElementId = (index: number, column: string): string => `list-row-${index}-${column}`;
