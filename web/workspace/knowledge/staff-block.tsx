import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { Markup } from "../../parts/markup/markup.tsx";

type Props = { text: string | null; heading: "h2" | "h3"; image?: (key: string) => string | null };

/** The part of an article for support staff. The server sends it only to them. */
export function StaffBlock({ text, heading: Heading, image }: Props) {
  if (text === null || text === "") return null;
  return (
    <section className="staff-block">
      <Heading>
        <Icon of={IconLock} /> {t("knowledge.forStaff")}
      </Heading>
      <Markup text={text} {...(image === undefined ? {} : { image })} />
    </section>
  );
}
