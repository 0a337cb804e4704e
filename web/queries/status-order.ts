// In which order statuses are offered, and which one first. The API lists them by rank, which begins with a refusal (D-756).

/** The record goes back or ends badly: nobody means these by pressing Enter, and the person concerned wants to know why. */
export const negativeStatuses: readonly string[] = ["declined", "failed", "rejected"];

export const isNegative = (status: string): boolean => negativeStatuses.includes(status);

/** By rank, the negative ones last. */
export const orderStatuses = (statuses: readonly string[]): readonly string[] => [
  ...statuses.filter((status) => !isNegative(status)),
  ...statuses.filter(isNegative),
];

// biome-ignore format: a table keeps its columns
const usualNext: Readonly<Record<string, string>> = {
  registered:           "assigned",
  declined:             "assigned",
  on_backlog:           "assigned",
  assigned:             "accepted",
  accepted:             "in_progress",
  in_progress:          "waiting_for_customer",
  waiting_for:          "in_progress",
  waiting_for_customer: "in_progress",
};

/** The status that mostly follows, among those offered in their order. */
export const pickNextStatus = (status: string | undefined, offered: readonly string[]): string | undefined =>
  offered.find((each) => each === usualNext[status ?? ""]) ?? offered.find((each) => each !== status);
