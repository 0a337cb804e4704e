import { until } from "../waiting.ts";
import type { World } from "../world.ts";

// Reads server-sent events and collects them until it is closed.

// biome-ignore lint/suspicious/noExplicitAny: events are whatever the server sent; tests look at single members
export type StreamEvent = { event: string; id: string; data: any };

export class EventStream {
  readonly status: number;
  readonly events: StreamEvent[] = [];
  readonly comments: string[] = [];
  isEnded = false;
  private readonly aborter: AbortController;

  private constructor(status: number, aborter: AbortController) {
    this.status = status;
    this.aborter = aborter;
  }

  static async open(
    the: Pick<World, "url">,
    cookie: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<EventStream> {
    const aborter = new AbortController();
    const response = await fetch(`${the.url}/session-api${path}`, {
      headers: { Cookie: cookie, Accept: "text/event-stream", ...headers },
      signal: aborter.signal,
    });
    const stream = new EventStream(response.status, aborter);
    void stream.read(response);
    return stream;
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split("\n\n");
        text = blocks.pop() as string;
        for (const block of blocks) this.take(block);
      }
    } catch {
      // closed by the test
    }
    this.isEnded = true;
  }

  private take(block: string): void {
    const member = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    if (block.startsWith(":")) this.comments.push(block);
    const event = member("event");
    if (event !== undefined)
      this.events.push({ event, id: member("id") ?? "", data: JSON.parse(member("data") ?? "{}") });
  }

  of = (event: string): StreamEvent[] => this.events.filter((each) => each.event === event);

  /** Waits for the first event of the kind that meets the condition. */
  async next(event: string, meets: (data: StreamEvent["data"]) => boolean = () => true): Promise<StreamEvent> {
    const find = () => this.events.find((each) => each.event === event && meets(each.data));
    await until(() => find() !== undefined, { what: () => `${event} in ${JSON.stringify(this.events)}` });
    return find() as StreamEvent;
  }

  close(): void {
    this.aborter.abort();
  }
}
