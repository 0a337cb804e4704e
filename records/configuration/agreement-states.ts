import { dayBegins, dayEnds, type StateMachine, type StateMove, stateMachine } from "../vocabulary/index.ts";

/**
 * SLAs, first line support agreements and contracts begin with start_date and are active through expiry_date: days in
 * the time zone that the field `zone` names, or in that of the account.
 */
const states = ["being_prepared", "scheduled_for_activation", "active", "expired"] as const;
type State = (typeof states)[number];

export const buildAgreementStates = (
  initial: State,
  zone?: string,
  moves: readonly StateMove<State>[] = [],
): StateMachine<State> =>
  stateMachine({
    states,
    initial,
    unlisted: "allowed",
    moves: [
      ...moves,
      { from: "scheduled_for_activation", on: dayBegins("start_date", zone), to: "active" },
      { from: "active", on: dayEnds("expiry_date", zone), to: "expired" },
    ],
  });
