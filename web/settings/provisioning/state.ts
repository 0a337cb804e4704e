import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { scimState } from "../../../records/answers/provisioning.ts";

export type ProvisioningState = AnswerOf<typeof scimState>;
export type ProvisioningToken = ProvisioningState["tokens"][number];
export type ProvisioningRun = ProvisioningState["runs"][number];
