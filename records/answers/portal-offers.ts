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
  price: noted("The price per unit.", orNull(string())),
  price_currency: orNull(string()),
  recurring_price: noted("The price per unit.", orNull(string())),
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
      min_duration: noted("In minutes, as are `max_duration` and `step_duration`.", integer()),
      max_duration: integer(),
      step_duration: integer(),
      multi_day: noted("A reservation can end on a later day than it starts.", boolean),
      allow_repeat: boolean,
      items: list(object({ id: integer(), name: string(), label: orNull(string()), location: orNull(string()) })),
      templates: noted("If not empty, a reservation must use one of these request templates.", list(offeredTemplate)),
    }),
  ),
  own: noted(
    "The caller's open reservations.",
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
  count: noted("Number of reservations; more than one with `repeat`.", integer()),
  request: noted("The id of the request created with the reservation.", orNull(integer())),
});

export const portalOfferOperations = operations({
  "POST /portal/orders": {
    id: "placeOrder",
    tag,
    summary: "Place an order for the items in the cart",
    description:
      "The cart consists of the caller's `shop_order_lines` with status `in_cart`. Creates one request for the order and one for each line.",
    body: object({
      reason: noted("A reason for the people who approve and deliver the order.", optional(orNull(string(2000)))),
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
    description: "Contains the lines that the caller can read.",
    answer: list(orderedLine),
    answers: "The order lines.",
  },
  "GET /portal/reservations": {
    id: "getReservationOffers",
    tag,
    summary: "List reservation offerings and the caller's reservations",
    answer: reservationOffers,
    answers: "The available offerings and the caller's reservations.",
  },
  "GET /portal/reservation_offerings/:id/free": {
    id: "getFreeTimes",
    tag,
    summary: "List the free times of a reservation offering",
    query: { date: noted("A date in the time zone of the offering.", date) },
    answer: freeTimes,
    answers: "The available periods of each item.",
  },
  "POST /portal/reservations": {
    id: "reserveItem",
    tag,
    summary: "Reserve an item for the caller",
    description: "Also creates a request if the offering has request templates.",
    body: object({
      offering: integer(),
      ci: integer(),
      name: string(128),
      start_at: datetime,
      end_at: datetime,
      template: noted("Required if the offering has several templates.", optional(orNull(integer()))),
      note: optional(text),
      custom_fields: noted("The values for the form of the template.", optional(orNull(customFields))),
      repeat: noted(
        "Repeats the reservation at the same time every day or week, up to and including the given date.",
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
