// The order in which statuses are offered, and the default choice. The API lists them by rank, which begins with a
// refusal (D-756).

/**
 * The record is sent back or ends badly: these must not be chosen by just pressing Enter, and the person concerned
 * wants to know the reason.
 */
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

/** The usual next status among the offered ones. */
export const pickNextStatus = (status: string | undefined, offered: readonly string[]): string | undefined =>
  offered.find((each) => each === usualNext[status ?? ""]) ?? offered.find((each) => each !== status);
