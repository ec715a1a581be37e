import { execute } from '../../../db/sql/query';
import { checkInvariants } from '../../../workers/checks/check-invariants';
import { ownDatabase } from '../../support/servers/database';
import { make } from '../../support/builders/make';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';
import { setVariables, testVariables } from '../../support/worlds/variables';

const own = ownDatabase();
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());
beforeEach(() => {
  setVariables({
    DATABASE_URL: own.url,
    SEALING_KEYS: testVariables['SEALING_KEYS']!,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  });
});

async function run(): Promise<{ exitCode: number; text: string }> {
  let text = '';
  const exitCode = await checkInvariants((line) => {
    text += line;
  });
  return { exitCode, text };
}

test('0: everything holds', async () => {
  const { exitCode, text } = await run();
  expect(exitCode).toBe(0);
  expect(text).toMatch(/^(\d+) of \1 invariants hold\.\n$/);
});

test('1: violations are listed under their invariant, in the database and in Temporal', async () => {
  const { code } = await make.coupon(own.db);
  await execute(own.db, 'UPDATE coupons SET used_count = 2');
  await execute(
    own.db,
    `INSERT INTO parked_processes VALUES ('checkout:gone', 'checkout', 'x', 'lost', 'lost', now() - interval '1 hour')`,
  );
  const { exitCode, text } = await run();
  expect(exitCode).toBe(1);
  expect(text).toContain(
    `BROKEN coupons.uses-are-counted: A coupon's counter is the number of orders that use it.\n` +
      `    ${code}: counted 2 times, used by 0 orders\n`,
  );
  expect(text).toMatch(/BROKEN processes\.parked-are-listed: .+\n {4}checkout:gone: .+does not run\n/);
  const [, held, all] = /(\d+) of (\d+) invariants hold/.exec(text)!;
  expect(Number(all) - Number(held)).toBe(2);
});

test.each([
  ['the database', { DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' }],
  ['Temporal', { TEMPORAL_ADDRESS: '127.0.0.1:1' }],
  ['the configuration', { DATABASE_URL: 'nowhere' }],
])('2: %s is not there', async (_missing, variables) => {
  setVariables(variables);
  const { exitCode, text } = await run();
  expect(exitCode).toBe(2);
  expect(text).toMatch(/^The invariants could not be checked: ./);
});
