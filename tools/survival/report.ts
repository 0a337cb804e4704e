// What a survival run says, and whether it succeeded.

export class Report {
  private failures = 0;

  say(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  fail(line: string): void {
    this.failures++;
    if (this.failures <= 40) this.say(`FAILED: ${line}`);
  }

  require(isMet: boolean, otherwise: string): void {
    if (!isMet) this.fail(otherwise);
  }

  get hasFailed(): boolean {
    return this.failures > 0;
  }
}
