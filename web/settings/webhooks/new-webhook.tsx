import { webhook } from "../../../records/settings/webhook.ts";
import { CreateScreen } from "../../parts/records/create.tsx";

export const NewWebhookScreen = () => <CreateScreen type={webhook} />;
