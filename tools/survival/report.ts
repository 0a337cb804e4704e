// The output of a survival run, and whether it succeeded.

export class Report {
  /** a run that can end early ends after so many; 0: never */
  readonly minutes: number;
  private failures = 0;

  constructor(minutes = 0) {
    this.minutes = minutes;
  }

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
