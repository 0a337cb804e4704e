import {
  answer,
  boolean,
  choice,
  customFields,
  date,
  datetime,
  integer,
  list,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  text,
  word,
} from "../vocabulary/index.ts";
import { type AnswerOf, partOf } from "./answer-of.ts";

// Orders and reservations of people in the portal.

const tag = "Portal";

export type OrderedLine = AnswerOf<typeof orderedLine>;
export const orderedLine = answer("OrderedLine", {
  name: string(),
  quantity: string(),
  requested_for: orNull(string()),
  price: noted("Of one.", orNull(string())),
  price_currency: orNull(string()),
  recurring_price: noted("Of one.", orNull(string())),
  recurring_price_currency: orNull(string()),
  recurring_period: orNull(choice("shop_article.recurring_period")),
});

export type PlacedOrder = AnswerOf<typeof placedOrder>;
const placedOrder = answer("PlacedOrder", {
  order: noted("The id of the request.", integer()),
  lines: noted("The ids of the order lines.", list(integer())),
});

export type OfferedTemplate = AnswerOf<typeof offeredTemplate>;
const offeredTemplate = partOf("OfferedTemplate", "request_template", ["category"], {
  subject: string(),
  localized_subject: string(),
});

export type ReservationOffer = ReservationOffers["offers"][number];
export type ReservationOffers = AnswerOf<typeof reservationOffers>;
const reservationOffers = answer("ReservationOffers", {
  offers: list(
    object({
      id: integer(),
      name: string(),
      time_zone: string(),
      min_duration: noted("Minutes, as the other two.", integer()),
      max_duration: integer(),
      step_duration: integer(),
      multi_day: noted("It may end on another day than it begins.", boolean),
      allow_repeat: boolean,
      items: list(object({ id: integer(), name: string(), label: orNull(string()), location: orNull(string()) })),
      templates: noted("A reservation is made with one of these, if there are any.", list(offeredTemplate)),
    }),
  ),
  own: noted(
    "Open reservations of the caller.",
    list(partOf("OwnReservation", "reservation", ["name", "ci", "person", "start_at", "end_at", "status"], {})),
  ),
});

export type FreeTimes = AnswerOf<typeof freeTimes>;
const freeTimes = answer("FreeTimes", {
  items: list(
    object({
      id: integer(),
      name: string(),
      free: list(
        object({
          from: datetime,
          until: datetime,
          taken_at: noted("The start of the next reservation, up to the longest duration.", orNull(datetime)),
        }),
      ),
    }),
  ),
});

export type Reserved = AnswerOf<typeof reserved>;
const reserved = answer("Reserved", {
  id: noted("The first reservation.", integer()),
  status: choice("reservation.status"),
  count: noted("How many there are: more than one with `repeat`.", integer()),
  request: noted("The id of the request that was made with it.", orNull(integer())),
});

export const portalOfferOperations = operations({
  "POST /portal/orders": {
    id: "placeOrder",
    tag,
    summary: "Place an order for the items in the cart",
    description:
      "The cart holds the caller's `shop_order_lines` with the status `in_cart`. One request is created for the order and one for each line.",
    body: object({
      reason: noted("For those who approve and deliver it.", optional(orNull(string(2000)))),
    }),
    bodyExample: { reason: "Mine is seven years old" },
    status: 201,
    answer: placedOrder,
    answers: "The order.",
  },
  "DELETE /portal/cart/:id": {
    id: "removeFromCart",
    tag,
    summary: "Remove a line from the cart",
    answer: null,
  },
  "GET /requests/:id/order_lines": {
    id: "listOrderLinesOfRequest",
    tag,
    summary: "List the order lines of a request with their prices",
    description: "Holds the lines that the caller may read.",
    answer: list(orderedLine),
    answers: "The lines.",
  },
  "GET /portal/reservations": {
    id: "getReservationOffers",
    tag,
    summary: "List reservation offerings and the caller's reservations",
    answer: reservationOffers,
    answers: "Offers and reservations.",
  },
  "GET /portal/reservation_offerings/:id/free": {
    id: "getFreeTimes",
    tag,
    summary: "List the free times of a reservation offering",
    query: { date: noted("A day in the time zone of the offering.", date) },
    answer: freeTimes,
    answers: "The free periods of each item.",
  },
  "POST /portal/reservations": {
    id: "reserveItem",
    tag,
    summary: "Reserve an item for the caller",
    description: "Creates a request too, if the offering has request templates.",
    body: object({
      offering: integer(),
      ci: integer(),
      name: string(128),
      start_at: datetime,
      end_at: datetime,
      template: noted("Needed where the offering has several.", optional(orNull(integer()))),
      note: optional(text),
      custom_fields: noted("The answers to the form of the template.", optional(orNull(customFields))),
      repeat: noted(
        "At the same time every day or week, up to and including that date.",
        optional(orNull(object({ every: word("day", "week"), until: date }))),
      ),
    }),
    bodyExample: {
      ...{ offering: 7, ci: 31, name: "Interview" },
      ...{ start_at: "2025-03-04T09:00:00Z", end_at: "2025-03-04T10:00:00Z" },
    },
    status: 201,
    answer: reserved,
    answers: "The reservation.",
  },
  "DELETE /portal/reservations/:id": {
    id: "cancelOwnReservation",
    tag,
    summary: "Cancel one of the caller's reservations",
    answer: null,
  },
});
