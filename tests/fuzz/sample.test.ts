import { endpoints } from '../../api/endpoints';
import type { Auth } from '../../api/http/handler-context';
import { resolveSchemathesis } from '../support/tools/schemathesis';
import { fuzzSet } from './config';
import { startFuzzWorld, type FuzzWorld, type RoleName } from './world/fuzz-world';
import { fuzz } from './run';

const set = fuzzSet();
/** The role for which the sample calls an endpoint; the check `ignored_auth` tries it without one. */
const ROLE_OF: Readonly<Record<Auth, RoleName>> = {
  public: 'anonymous',
  optional: 'anonymous',
  user: 'buyer',
  admin: 'admin',
  'super-admin': 'admin',
};

let tool: string;
let fuzzed: FuzzWorld;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

beforeAll(async () => {
  tool = await resolveSchemathesis(say);
  fuzzed = await startFuzzWorld();
});
afterAll(() => fuzzed.world.teardown());

test.each<RoleName>(['anonymous', 'buyer', 'admin'])(
  // Endpoints that send browsers to another host (302) are left out: it would be that host's answers that are held
  // against our document. Their own tests, and nasty.test.ts, call them.
  'what is called by the document is answered by the document: %s',
  async (name) => {
    const called = endpoints.filter(
      ({ auth, success }) => !success.includes(302) && (set.name === 'long' || ROLE_OF[auth] === name),
    );
    const { report, output } = await fuzz(fuzzed, fuzzed.roles[name], { tool, set, called });
    say(`fuzz: ${report.test_cases.generated} calls as ${name}, seed ${set.seed}`);
    if (report.failures.length > 0) throw new Error(output);
    expect(report).toMatchObject({
      complete: true,
      errors: [],
      operations: { selected: called.length, tested: called.length },
    });
    expect(report.test_cases.generated).toBeGreaterThan(10 * called.length);
  },
  set.limitMs,
);
