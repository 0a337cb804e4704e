import { notificationKinds } from "../notifications/kinds.ts";
import {
  answer,
  boolean,
  datetime,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  word,
} from "../vocabulary/index.ts";
import type { AnswerOf } from "./answer-of.ts";

// The notifications that the web interface shows behind its bell.

export const pageNotification = answer("Notification", {
  id: integer(),
  kind: word(...notificationKinds),
  type: noted("The record type.", string()),
  record: named,
  note_id: orNull(integer()),
  by: noted("The person who caused the notification; null: a rule or a timer.", orNull(named)),
  created_at: datetime,
  read_at: orNull(datetime),
  muted: noted("Whether the caller has muted the record.", boolean),
});
export type PageNotification = AnswerOf<typeof pageNotification>;

export const notificationPage = answer("Notifications", {
  unread: noted("Number of unread notifications.", integer()),
  items: list(pageNotification),
  next: noted("The value of `after` for the next page; null on the last page.", orNull(string())),
});
export type NotificationPage = AnswerOf<typeof notificationPage>;

export const notificationOperations = operations({
  "GET /notifications": {
    id: "listNotifications",
    summary: "List the caller's notifications, newest first",
    description:
      "Returns 50 notifications per page. Omits notifications about records that the caller can no longer read, and about types whose `Read` scope the token lacks.",
    query: { after: noted("The `next` value of the previous page.", optional(string())) },
    answer: notificationPage,
    answers: "A page of notifications.",
  },
  "POST /notifications/read": {
    id: "markNotificationsAsRead",
    summary: "Mark the caller's notifications as read",
    body: object({
      ids: noted(
        "The ids of the notifications; if omitted, all notifications.",
        optional(list(integer({ min: 1 }), 1000)),
      ),
    }),
    bodyExample: { ids: [7, 9] },
    answer: object({ unread: integer() }),
    answers: "The number of notifications that are still unread.",
  },
  "PUT /notifications/muted/:type/:id": {
    id: "muteRecord",
    summary: "Mute or unmute a record",
    description:
      "The caller doesn't receive notifications about a muted record. `type` is the record type, such as `request`.",
    body: object({ muted: boolean }),
    bodyExample: { muted: true },
    answer: null,
  },
});
