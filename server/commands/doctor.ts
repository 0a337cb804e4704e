import { defineCommand, loadConfiguration, type Terminal } from "./command-line/command.ts";
import { describeReason } from "./command-line/failure.ts";
import { program } from "./command-line/help.ts";
import { withConnection } from "./database/connect.ts";
import { withDatabase } from "./database/with-database.ts";
import { databaseChecks } from "./doctor/database-checks.ts";
import { type Finding, problem } from "./doctor/finding.ts";
import { checkDataFolder, checkDeclarations, checkNode, checkPort } from "./doctor/machine-checks.ts";

export const doctor = defineCommand({
  name: "doctor",
  summary: "Check this installation and its data.",
  details: "Makes no changes. Exits with 1 if there is a problem.",
  example: `${program} doctor`,
  async run(_given, terminal) {
    const configuration = loadConfiguration(terminal);
    const report = createReporter(terminal);
    report(checkNode());
    report(checkDeclarations());
    report(await checkDataFolder(configuration));
    const port = await checkPort(configuration);
    report(port.finding);
    try {
      const options = { whenNew: "refuse", say: () => {} } as const;
      await withDatabase(configuration, options, ({ url }) =>
        withConnection(url, async (client) => {
          for await (const finding of databaseChecks(client, configuration, port.isServed)) report(finding);
        }),
      );
    } catch (error) {
      report(problem("database", describeReason(error)));
    }
    const { problems } = report;
    terminal.print(
      problems === 0 ? "No problems found." : `${problems} ${problems === 1 ? "problem" : "problems"} found.`,
    );
    return problems === 0 ? 0 : 1;
  },
});

type Reporter = { (finding: Finding): void; problems: number };

function createReporter(terminal: Terminal): Reporter {
  const report: Reporter = ({ isOk, subject, text }) => {
    if (!isOk) report.problems++;
    terminal.print(`${isOk ? "ok     " : "PROBLEM"}  ${subject}: ${text}`);
  };
  report.problems = 0;
  return report;
}
