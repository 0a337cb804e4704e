import { ResponseTooLarge } from "../../base/errors.ts";

// The memory budget of a GraphQL call: the rows that it loads, the response that it builds, and the plan of its
// document. All of it is counted while the call runs, and reserved from the memory for calls (D-777).

const megabyte = 1_048_576;
export const maxResponseBytes = 8 * megabyte;
/** Rows are counted when they arrive, before anything is built of them. */
const maxRowBytes = 16 * megabyte;
/** Reservations are made in pieces of this size. */
const piece = 65_536;
/** A value is in memory as an object, as text, and as the bytes that are sent. */
const copies = 2;

export class ResponseBudget {
  /** why the call was stopped */
  refusal: Error | null = null;
  /** of the response so far, as JSON */
  outputBytes = 0;
  private readonly reserve: (bytes: number) => void;
  private rowBytes = 0;
  private unreserved = 0;

  /** `reserve` throws when there is no memory. */
  constructor(reserve: (bytes: number) => void) {
    this.reserve = reserve;
  }

  countOutput(bytes: number): void {
    this.outputBytes += bytes;
    if (this.outputBytes > maxResponseBytes) this.refuse("The response would be larger than 8 MB");
    this.take(copies * bytes);
  }

  countRows(bytes: number): void {
    this.rowBytes += bytes;
    if (this.rowBytes > maxRowBytes) this.refuse("The call would load more than 16 MB");
    this.take(copies * bytes);
  }

  /** Anything else that lives as long as the call. */
  take(bytes: number): void {
    if (this.refusal !== null) throw this.refusal;
    this.unreserved += bytes;
    if (this.unreserved < piece) return;
    try {
      this.reserve(this.unreserved);
    } catch (error) {
      this.refusal = error as Error;
      throw error;
    }
    this.unreserved = 0;
  }

  private refuse(reason: string): never {
    this.refusal ??= new ResponseTooLarge(`${reason}: ask for fewer records or fields.`);
    throw this.refusal;
  }
}

/** How many bytes a value takes as JSON, about. */
export function estimateJson(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  let size = 2;
  for (const [name, member] of Object.entries(value)) size += name.length + 4 + estimateJson(member);
  return size;
}
