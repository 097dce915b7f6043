/** `npm run conformance [-- FILTER]`: all scenarios whose name contains the text; without one, those that must pass. */
import { requiredScenarios, runScenarios, scenariosNamed, suiteFolder, suiteIsHere } from './suite.ts';

if (!suiteIsHere()) {
  process.stderr.write(`conformance: the suite is not on this machine (${suiteFolder})\n`);
  process.exit(2);
}
const filter = process.argv[2];
const scenarios = filter === undefined ? requiredScenarios() : scenariosNamed(filter);
if (scenarios.length === 0) {
  process.stderr.write(`conformance: no scenario is called like ${filter}\n`);
  process.exit(2);
}
const { failed } = await runScenarios(scenarios);
process.exit(failed === 0 ? 0 : 1);
