const prefixes: Readonly<Record<string, string>> = { task: "T-", problem: "P-", project_task: "PT-" };

/** The number of a piece of work as people say it: 48213, T-9920, P-611. */
export const formatWorkId = (type: string, id: number): string => `${prefixes[type] ?? ""}${id}`;
