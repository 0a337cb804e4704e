// How long a statement takes in an account, learned from its calls: the same list is fast in a small account and slow in
// a large one. An estimate rises with the first slow call and falls slowly.

const maxStatements = 4000;
const weightOfNew = 0.5;

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
    const estimate =
      known === undefined || milliseconds > known ? milliseconds : known + (milliseconds - known) * weightOfNew;
    byAccount.set(account, estimate);
  }
}
