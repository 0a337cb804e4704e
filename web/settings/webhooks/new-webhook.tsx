import { webhook } from "../../../records/settings/webhook.ts";
import { CreateScreen } from "../../workspace/records/create.tsx";

export const NewWebhookScreen = () => <CreateScreen type={webhook} />;
