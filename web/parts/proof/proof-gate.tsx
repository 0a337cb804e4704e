import { useEffect, useState } from "react";
import { ApiError, askForProofBy } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { ProofDialog } from "./proof-dialog.tsx";

type Question = { refusal: ApiError; resolve(): void; reject(error: ApiError): void };

/**
 * For pages whose calls are refused until the person has reauthenticated: the call waits for the dialog and is then
 * repeated. Closing the dialog shows a message that nothing was changed.
 */
export function ProofGate() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    askForProofBy((refusal) => new Promise((resolve, reject) => setQuestion({ refusal, resolve, reject })));
    return () => askForProofBy(null);
  }, []);
  if (question === null) return null;
  return (
    <ProofDialog
      methods={question.refusal.proof?.proof_methods ?? []}
      providers={question.refusal.proof?.proof_providers ?? []}
      onAnswer={(isProven) => {
        setQuestion(null);
        if (isProven) question.resolve();
        else question.reject(new ApiError(422, "", [["base", t("stepUp.notProven")]]));
      }}
    />
  );
}
