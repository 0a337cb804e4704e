// How long a statement takes in an account, learned from its calls: the same list is fast in a small account and slow in
// a large one. A moving average: on a busy machine every statement is slow now and then.

const maxStatements = 1000;
const weightOfNew = 0.3;

export class CostEstimates {
  private readonly byText = new Map<string, Map<string, number>>();

  /** Milliseconds; undefined for a statement that the account has not used yet. */
  get(text: string, account: string): number | undefined {
    return this.byText.get(text)?.get(account);
  }

  observe(text: string, account: string, milliseconds: number): void {
    let byAccount = this.byText.get(text);
    if (byAccount === undefined) {
      // Callers choose filters and fields, so the number of texts must have a limit. What is forgotten is learned again.
      if (this.byText.size >= maxStatements) this.byText.clear();
      byAccount = new Map();
      this.byText.set(text, byAccount);
    }
    const known = byAccount.get(account);
    byAccount.set(account, known === undefined ? milliseconds : known + (milliseconds - known) * weightOfNew);
  }
}
