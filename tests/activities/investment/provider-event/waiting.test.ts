import { v7 } from 'uuid';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting, standing, type Report } from './reporting';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

async function begin() {
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const { providerCode, strategyCode } = await make.strategy(own.db);
  await make.signedIn(own.db, providerCode, user.id);
  const externalId = v7();
  const of = { investmentExternalId: externalId };
  const steps = reporting(own.db, providerCode, { POLICY_PROVIDER_MOVEMENTS_A_DAY: '1000' });
  const created: Report = {
    type: 'investment.created',
    timestamp: '2026-06-01T00:00:00Z',
    data: {
      ...{ externalId, userId: user.id, strategyCode, amount: 1_000, currency: 'USD' },
      ...{ startDate: '2026-06-01', maturityDate: '2026-12-31' },
    },
  };
  return {
    ...steps,
    ...{ user, externalId, created },
    profit: (amount: number, timestamp: string): Report => ({
      ...{ type: 'profit.distributed', data: { ...of, externalId: v7(), amount }, timestamp },
    }),
    payout: (amount: number, timestamp: string): Report => ({
      ...{
        type: 'investment.withdrawn',
        data: { ...of, externalId: v7(), amount, status: 'WITHDRAWN' },
        timestamp,
      },
    }),
    /** Stores a report that finds nothing yet. */
    waits: async (report: Report): Promise<string> => {
      const id = await steps.store(report);
      expect(await steps.apply(id)).toMatchObject({ outcome: 'WAITING' });
      return id;
    },
    statuses: () =>
      rows<{ status: string; count: number }>(
        own.db,
        'SELECT status, count(*)::int FROM webhook_events WHERE provider = $1 GROUP BY 1 ORDER BY 1',
        [providerCode],
      ),
  };
}

const NOON = '2026-06-20T12:00:00.000Z';

describe('a loss and a payout that wait, of one moment and received in the same', () => {
  test.each(['loss', 'payout'])('are both woken and applied once, the %s first', async (first) => {
    const { profit, payout, waits, store, apply, created, externalId, user } = await begin();
    const [loss, paid] = [profit(-100, NOON), payout(900, NOON)];
    const waiting: string[] = [];
    for (const report of first === 'loss' ? [loss, paid] : [paid, loss]) waiting.push(await waits(report));
    await execute(own.db, 'UPDATE webhook_events SET received_at = $2 WHERE id = ANY ($1)', [waiting, NOON]);
    const id = await store(created);
    const applied = await apply(id);
    expect(applied).toMatchObject({ outcome: 'APPLIED' });
    const wake = 'wake' in applied ? applied.wake : [];
    expect(wake.map(({ webhookEventId }) => webhookEventId)).toEqual(waiting);
    const after = await standing(own.db, externalId);
    expect(after).toMatchObject({
      participation: { status: 'WITHDRAWN', earnedMinor: -10_000 },
      transactions: [
        { type: 'DEPOSIT', amountMinor: 100_000 },
        { type: 'PROFIT', amountMinor: -10_000 },
        { type: 'WITHDRAWAL', amountMinor: 90_000 },
      ],
      balances: [{ balanceMinor: -90_000 }, { account: 'wallet', balanceMinor: 90_000 }],
    });
    // As their processes do once they are woken, both at the same time.
    for (const answer of await Promise.all([...waiting, id].map(apply)))
      expect(answer).toMatchObject({ outcome: 'WITHOUT_EFFECT', wake: [] });
    expect(await standing(own.db, externalId)).toEqual(after);
    const received = await rows(
      own.db,
      `SELECT amount_minor FROM ledger_entries WHERE user_id = $1 AND account = 'wallet'`,
      [user.id],
    );
    expect(received).toEqual([{ amountMinor: 90_000 }]);
  });
});

test('a payout that waits for a loss of a later time is applied with it, in one transaction', async () => {
  const { profit, payout, waits, report, created, externalId } = await begin();
  const paid = await waits(payout(10, NOON));
  await waits(profit(-990, '2026-06-20T13:00:00.000Z'));
  const applied = await report(created);
  expect('wake' in applied ? applied.wake.map(({ webhookEventId }) => webhookEventId) : []).toContain(paid);
  expect(await standing(own.db, externalId)).toMatchObject({
    participation: { status: 'WITHDRAWN', earnedMinor: -99_000 },
  });
});

describe('many reports that wait for one investment', () => {
  test('cost a statement count that grows with their number, not with its square', async () => {
    const statements = async (count: number): Promise<number> => {
      const { profit, waits, store, apply, created, statuses } = await begin();
      for (let n = 0; n < count; n++) await waits(profit(0.01, NOON));
      const id = await store(created);
      const asked = jest.spyOn(own.db.sequelize, 'query');
      expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
      const { length } = asked.mock.calls;
      asked.mockRestore();
      expect(await statuses()).toEqual([{ status: 'PROCESSED', count: count + 1 }]);
      return length;
    };
    const [few, many] = [await statements(5), await statements(20)];
    expect(few).toBeGreaterThan(20);
    expect(many).toBeLessThan(4 * few);
  });

  test('more than one transaction takes are applied by those that it wakes, which wake few again', async () => {
    const { profit, waits, store, apply, created, externalId, statuses } = await begin();
    for (let n = 0; n < 108; n++) await waits(profit(0.01, NOON));
    const applied = await apply(await store(created));
    const wake = 'wake' in applied ? applied.wake : [];
    expect(wake).toHaveLength(100);
    expect(await statuses()).toEqual([
      { status: 'PROCESSED', count: 101 },
      { status: 'WAITING', count: 8 },
    ]);
    const [first] = wake;
    const repeated = await apply(first!.webhookEventId);
    const next = 'wake' in repeated ? repeated.wake : [];
    expect(next).toHaveLength(5);
    expect(await apply(next[0]!.webhookEventId)).toMatchObject({ outcome: 'APPLIED' });
    expect(await statuses()).toEqual([{ status: 'PROCESSED', count: 109 }]);
    expect(await standing(own.db, externalId)).toMatchObject({ participation: { earnedMinor: 108 } });
  });
});
