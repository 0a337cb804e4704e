import type { ChangeOrigin, OriginKind } from "../../../records/journal/change-origins.ts";
import { isMessage, t } from "../../languages/index.ts";

// Describes the origin of a change: "browser, Eindhoven", "import 9f31c0, row 118".

/** A newer server may know more kinds. */
export function originLabel(kind: OriginKind): string {
  const key = `origin.kind.${kind}`;
  return isMessage(key) ? t(key) : kind;
}

/** `hidesName`: the name of the rule or program is shown elsewhere */
export function describeOrigin(origin: ChangeOrigin, { hidesName = false } = {}): string {
  const { kind, id, name, token, application, row, records, place, address } = origin;
  const number = kind === "rule" ? undefined : id;
  const parts = [
    [originLabel(kind), number, hidesName ? undefined : name].filter((part) => part !== undefined).join(" "),
    token === undefined ? "" : t("origin.token", { name: token }),
    hidesName ? "" : (application ?? ""),
    row === undefined ? "" : t("origin.row", { row }),
    records === undefined ? "" : t("origin.records", { count: records }),
    kind === "browser" ? (place ?? address ?? "") : "",
  ];
  const what = parts.filter((part) => part !== "").join(", ");
  return origin.undo ? t("origin.undo", { what }) : what;
}
