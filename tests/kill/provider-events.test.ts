import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../support/builders/investing/investment-provider';
import { make } from '../support/builders/make';
import { eventually } from '../support/checks/eventually';
import { violations } from '../support/checks/violations';
import { ownKillingWorld } from '../support/worlds/killing-world';

/** Reports of a burst. */
const BURST = process.env['CI'] === undefined ? 10_000 : 1_500;
const AT_ONCE = 50;
/** The most that a burst may add to the memory of a program, for good. */
const MOST_GROWTH_MB = 200;

let provider: InvestmentProvider;
const world = ownKillingWorld({
  variables: { RATE_LIMIT_SCALE: '100000', POLICY_PROVIDER_MOVEMENTS_A_DAY: '100000' },
});
beforeAll(async () => {
  provider = await investmentProvider(world);
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));

/** An investment of a verified user that its provider has reported, and that runs. */
async function running() {
  const strategy = await make.strategy(world.db, { providerCode: provider.code });
  const user = await make.user(world.db, { kycLevel: 'STANDARD' });
  await make.signedIn(world.db, provider.code, user.id);
  const externalId = v7();
  const created = {
    ...{ externalId, userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000 },
    ...{ currency: 'USD', startDate: '2026-06-01', maturityDate: '2036-06-01' },
  };
  return { created, externalId };
}

const profitOf = (investmentExternalId: string) => ({ externalId: v7(), investmentExternalId, amount: 0.01 });

const earned = async (externalId: string): Promise<number | undefined> =>
  (
    await firstRow<{ minor: number }>(
      world.db,
      'SELECT earned_minor AS minor FROM participations WHERE external_id = $1',
      [externalId],
    )
  )?.minor;

const memoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Sends so many profits of a cent, some at a time; answers how many were acknowledged. */
async function burst(externalId: string, count: number): Promise<number> {
  let [left, accepted] = [count, 0];
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      const status = await provider
        .send('profit.distributed', profitOf(externalId))
        .then((answer) => answer.status)
        .catch(() => 0);
      if (status === 202) accepted++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return accepted;
}

it('the worker, killed in the middle of a report: it is applied once', async () => {
  const { created, externalId } = await running();
  const id = v7();
  await inTransaction(world.db, async (tx) => {
    await execute(tx, 'LOCK TABLE domain_events IN SHARE MODE');
    await provider.send('investment.created', created, { id }).expect(202);
    await eventually(async () => {
      const waiting = await rows(
        world.db,
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting.length).toBeGreaterThan(0);
    });
    await world.worker.kill();
  });
  expect(await earned(externalId)).toBeUndefined();
  await world.worker.start();
  await eventually(async () => expect((await provider.stored(id))?.status).toBe('PROCESSED'));
  const effects = await rows(
    world.db,
    `SELECT e.type FROM domain_events e JOIN participations p ON p.id = e.entity_id WHERE p.external_id = $1`,
    [externalId],
  );
  expect(effects).toEqual([{ type: 'investment.created' }]);
});

it('the API, killed while reports come: what it has acknowledged is applied, by the sweep where nobody began', async () => {
  const { created, externalId } = await running();
  await provider.send('investment.created', created).expect(202);
  const sending = burst(externalId, 400);
  await eventually(async () => {
    const stored = await firstRow<{ n: number }>(
      world.db,
      `SELECT count(*)::int AS n FROM webhook_events WHERE type = 'profit.distributed'`,
    );
    expect(stored!.n).toBeGreaterThan(100);
  });
  await world.api.kill();
  const accepted = await sending;
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(400);
  await world.api.start();
  const stored = await rows(world.db, `SELECT 1 FROM webhook_events WHERE type = 'profit.distributed'`);
  expect(stored.length).toBeGreaterThanOrEqual(accepted);
  await eventually(async () => expect(await earned(externalId)).toBe(stored.length), { withinMs: 180_000 });
});

it(`a burst of ${BURST} reports is acknowledged and applied, each once, with flat memory`, async () => {
  const { created, externalId } = await running();
  await provider.send('investment.created', created).expect(202);
  await burst(externalId, 300);
  const before = [world.api.pid, world.worker.pid].map(memoryMb);
  expect(await burst(externalId, BURST)).toBe(BURST);
  await eventually(async () => expect(await earned(externalId)).toBe(BURST + 300), { withinMs: 1_500_000 });
  const grown = [world.api.pid, world.worker.pid].map((pid, index) => memoryMb(pid) - before[index]!);
  for (const mb of grown) expect(mb).toBeLessThan(MOST_GROWTH_MB);
  const open = await rows(
    world.db,
    `SELECT 1 FROM webhook_events WHERE status NOT IN ('PROCESSED', 'IGNORED')`,
  );
  expect(open).toEqual([]);
}, 1_800_000);
