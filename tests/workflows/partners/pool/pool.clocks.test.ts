import { ApplicationFailure } from '@temporalio/common';
import { rows } from '../../../../db/sql/query';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { poolPeriodNamed, type PoolPeriod } from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess, type PoolInput } from '../../../../workflows/partners/pool/pool.contract';
import { startProcesses } from '../../../../workers/start';
import { takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { qualifiedLeader } from '../../../support/builders/make/partners/pool-runs';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';

const SETTLE_MS = 10 * 60_000;

let world: SkippingWorld;
/** A failure of the count, or of the payment, that no repetition ends. */
let fails: 'count' | 'payment' | undefined;
const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', 'batch', 'long'],
    fakes: (real) => ({
      // Activities read the real time, so a period that ends in the server's future cannot be counted for real.
      poolCountableFrom: ({ at }) =>
        Promise.resolve({ from: new Date(Date.parse(at) + SETTLE_MS).toISOString() }),
      async countPool(input) {
        if (fails === 'count') throw broken();
        return real.countPool(input);
      },
      async payPool(input) {
        if (fails === 'payment') throw broken();
        return real.payPool(input);
      },
    }),
  });
});
afterAll(() => world.teardown());
afterEach(() => {
  fails = undefined;
});

const handleOf = (pool: PoolInput) => world.temporal.workflow.getHandle(poolProcess.id(pool));
const statusOf = async (period: string) =>
  (await rows<{ status: string }>(world.db, 'SELECT status FROM pool_runs WHERE period = $1', [period]))[0]
    ?.status;

async function started(period: string): Promise<PoolInput> {
  const pool: PoolInput = { kind: 'WEEKLY', period };
  await qualifiedLeader(world.db, poolPeriodNamed(pool.kind, period) as PoolPeriod);
  await takeEvents(world.db);
  await startProcesses(world.temporal)(poolProcess, pool);
  return pool;
}

async function parked(period: string, at: 'count' | 'payment'): Promise<PoolInput> {
  fails = at;
  const pool = await started(period);
  await world.sleep('11 minutes');
  await eventually(async () => {
    const found = await rows(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [
      poolProcess.id(pool),
    ]);
    expect(found).toHaveLength(1);
  });
  fails = undefined;
  return pool;
}

test('counts after the settle wait, not before', async () => {
  const pool = await started('2026-W30');
  await world.sleep('9 minutes');
  expect(await statusOf(pool.period)).toBeUndefined();
  expect(await handleOf(pool).result()).toEqual({ status: 'COMPLETED', participants: 1 });
  await keepHistory(handleOf(pool), 'waited');
});

test.each([
  ['count', '2026-W31', undefined],
  ['payment', '2026-W32', 'PAYING'],
] as const)('a %s that fails parks, and goes on when it is tried again', async (at, period, status) => {
  const pool = await parked(period, at);
  expect(await statusOf(period)).toBe(status);
  await handleOf(pool).executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await handleOf(pool).result()).toEqual({ status: 'COMPLETED', participants: 1 });
  expect(await statusOf(period)).toBe('COMPLETED');
  await keepHistory(handleOf(pool), `${at}-parked-then-retried`);
});

test('an abandoned run stays PAYING, and the next start pays the rest of it', async () => {
  const pool = await parked('2026-W33', 'payment');
  await handleOf(pool).executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await handleOf(pool).result()).toEqual({ status: 'ABANDONED', participants: 0 });
  expect(await statusOf(pool.period)).toBe('PAYING');
  await keepHistory(handleOf(pool), 'parked-then-abandoned');
  await startProcesses(world.temporal)(poolProcess, pool);
  expect(await handleOf(pool).result()).toEqual({ status: 'COMPLETED', participants: 1 });
  expect(await statusOf(pool.period)).toBe('COMPLETED');
});
