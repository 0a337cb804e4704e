import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from "react";
import { currentLocale } from "../../languages/index.ts";
import { type FrameMessage, type FrameValues, getEventName, parseFrameMessage } from "./extension-messages.ts";

export type FrameHandle = {
  /** Whether all required fields are filled in. If not, the frame marks the missing ones. */
  check(): boolean;
};

type Props = {
  version: number;
  title: string;
  /** previously entered values */
  values: FrameValues;
  onChange(values: FrameValues): void;
  ref?: Ref<FrameHandle>;
};

/**
 * Above this number of messages per second only the last one of each kind counts: a script must not keep the page busy.
 */
const mostMessages = 50;
const second = 1000;

const getTheme = (): string => (document.documentElement.dataset.mantineColorScheme === "dark" ? "dark" : "light");

/**
 * The form of a UI extension with its own script, which runs in a frame isolated from everything but this page (D-398).
 */
export const ExtensionFrame = (props: Props) => <Frame key={props.version} {...props} />;

/** The frame of one version, with one listener for its lifetime. */
function Frame({ version, title, values, onChange, ref }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(120);
  const isValid = useRef(false);
  const send = (message: object) =>
    frame.current?.contentWindow?.postMessage({ steward: "extension", ...message }, "*");

  useImperativeHandle(ref, () => ({
    check() {
      if (isValid.current) return true;
      frame.current?.focus();
      frame.current?.contentWindow?.postMessage({ steward: "extension", event: "check" }, "*");
      return false;
    },
  }));

  const onFrameMessage = useEffectEvent((message: FrameMessage | null) => {
    if (message?.event === "ready") send({ event: "start", values, language: currentLocale(), theme: getTheme() });
    if (message?.event === "height") setHeight(message.height);
    if (message?.event === "values") {
      isValid.current = message.valid;
      onChange(message.values);
    }
  });
  useEffect(() => {
    let count = 0;
    const late = new Map<string, unknown>();
    let isStarted = false;
    const handleMessage = (data: unknown) => {
      const message = parseFrameMessage(data);
      isStarted ||= message?.event === "ready";
      onFrameMessage(message);
    };
    const onMessage = (event: MessageEvent) => {
      if (frame.current === null || event.source !== frame.current.contentWindow) return;
      count += 1;
      if (count <= mostMessages) return handleMessage(event.data);
      const kind = getEventName(event.data);
      // A frame starts with the previously entered values, however many messages it sent before.
      if (!isStarted && kind === "ready") handleMessage(event.data);
      // A height after the answers must not replace them.
      else if (late.size < 10 || late.has(kind)) late.set(kind, event.data);
    };
    const timer = setInterval(() => {
      count = 0;
      for (const data of late.values()) handleMessage(data);
      late.clear();
    }, second);
    addEventListener("message", onMessage);
    return () => {
      removeEventListener("message", onMessage);
      clearInterval(timer);
    };
  }, []);

  return (
    <iframe
      ref={frame}
      className="extension-frame"
      src={`/extension/${version}`}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      title={title}
      style={{ height }}
    />
  );
}
