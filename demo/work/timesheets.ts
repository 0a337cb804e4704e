import type { SeededRandom } from "../loader/seeded-random.ts";
import { isWeekend, type Timeline } from "./timeline.ts";

// Time entries without a request: all people in IT have a weekly meeting, and some take courses.

const people = [
  "bram",
  "luca",
  "priya",
  "hiro",
  "gareth",
  "soren",
  "noor",
  "wei",
  "dana",
  "elsie",
  "ruben",
  "marek",
  "anika",
  "jonas",
];
const courses = [
  "Advanced routing",
  "High-availability databases",
  "Customer communication",
  "Secure coding",
  "First aid",
];
const weeks = 6;

export function planTimesheets(time: Timeline, chance: SeededRandom): void {
  for (let days = weeks * 7; days > 0; days--) {
    const day = new Date(time.now.getTime() - days * 86_400_000);
    if (isWeekend(day)) continue;
    const date = day.toISOString().slice(0, 10);
    const at = new Date(`${date}T15:30:00Z`);
    for (const person of people) {
      const enter = (allocation: string, minutes: number, description?: string): void =>
        time.plan(
          at,
          `time of ${person}`,
          async () => {
            await time.create({ who: person, at, account: "quillhaven-it" }, "time_entry", {
              date,
              person: time.getId("person", person),
              time_allocation: time.getId("time_allocation", allocation),
              time_spent: minutes,
              ...(description === undefined ? {} : { description }),
            });
          },
          `time of ${person}`,
        );
      if (day.getUTCDay() === 1) enter("meeting", 30 + 15 * chance.between(0, 2));
      else if (chance.withProbability(0.04)) enter("training", 240, chance.pick(courses));
    }
  }
}
