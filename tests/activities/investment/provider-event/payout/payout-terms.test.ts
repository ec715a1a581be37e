import { v7 } from 'uuid';
import { matureWhenDue } from '../../../../../activities/investment/participation/mature-participation';
import { policyFrom } from '../../../../../db/policy/config';
import { transactionsOf } from '../../../../../db/investment/transaction/investment-transaction.reads';
import { execute, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { reporting, standing } from '../reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const now = (): string => new Date().toISOString();
const dead = (reason: string) => ({ outcome: 'DEAD', reason });

interface Options {
  lockDays?: number;
  durationDays?: number;
  startedDaysAgo?: number;
  status?: 'ACTIVE' | 'MATURED' | 'WITHDRAWN';
  profits?: { amountMinor: number }[];
  penaltyMinor?: number;
}

/** An investment of 1,000 that was paid here and is known to its provider. */
async function invested(options: Options = {}) {
  const { lockDays = 30, startedDaysAgo = 10, ...of } = options;
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db, { lockDays });
  const provider = reporting(own.db, strategy.providerCode);
  const investmentExternalId = v7();
  const { id } = await make.participation(own.db, {
    ...{ status: 'ACTIVE', ...of, userId: user.id, strategyId: strategy.id },
    ...{ externalId: investmentExternalId, at: daysAgo(startedDaysAgo) },
  });
  const paid = (data: Record<string, unknown>, timestamp?: Date) => ({
    type: 'investment.withdrawn',
    data: { investmentExternalId, externalId: v7(), ...data },
    ...(timestamp && { timestamp: timestamp.toISOString() }),
  });
  return {
    ...{ ...provider, provider, id, userId: user.id, investmentExternalId },
    pays: (data: Record<string, unknown>, timestamp?: Date) => provider.report(paid(data, timestamp)),
    store: (data: Record<string, unknown>) => provider.store(paid(data)),
    confirm: (event: string) =>
      execute(own.db, 'UPDATE webhook_events SET confirmed_at = now() WHERE id = $1', [event]),
  };
}

/** True where the transaction of our payout is shown as CONFIRMED. */
const isConfirmed = async (id: string): Promise<boolean> =>
  (await transactionsOf(own.db, [id], null)).some((row) => row.isConfirmed);

describe('the penalty of the terms', () => {
  test('is that of the time at which the report came, where it is dated further back than reports may wait', async () => {
    const { pays } = await invested({ startedDaysAgo: 40 });
    expect(await pays({ amount: 1_000, penalty: 100 }, daysAgo(20))).toMatchObject({ outcome: 'WAITING' });
    expect(await pays({ amount: 100, penalty: 10, status: 'PARTIAL' }, daysAgo(20))).toMatchObject({
      outcome: 'DEAD',
    });
  });

  test('is that of the reported time, where the report came within that', async () => {
    const { pays } = await invested({ startedDaysAgo: 31 });
    expect(await pays({ amount: 1_000, penalty: 100 }, daysAgo(2))).toMatchObject({ outcome: 'APPLIED' });
  });

  test('ends with the term, though the lock would be longer', async () => {
    const { pays } = await invested({ lockDays: 365, durationDays: 30, startedDaysAgo: 31 });
    expect(await pays({ amount: 1_000, penalty: 100 })).toMatchObject({ outcome: 'WAITING' });
  });
});

describe('a payout and its penalty together', () => {
  test('are no more than its investment can have earned, and confirmed no more than any can have', async () => {
    const { pays, store, apply, confirm, investmentExternalId } = await invested();
    const reason = `It pays out 2000.01 USD, more than the 2000.00 USD that the investment ${investmentExternalId} can have earned: a person has to confirm it.`;
    expect(await pays({ amount: 2_000.01, penalty: 1_000.01 })).toEqual(dead(reason));
    const id = await store({ amount: 9_999_999_999_999.99, penalty: 9_999_999_999_999 });
    await confirm(id);
    expect(await apply(id)).toEqual(
      dead('It pays out 9999999999999.99 USD, more than any investment can be paid, 9999999999.99 USD.'),
    );
  });
});

describe('the confirmation of a payout that was made here', () => {
  test.each([
    ['MATURED', undefined, 1_000],
    ['MATURED', [{ amountMinor: 50_00 }], 1_050],
    ['WITHDRAWN', undefined, 1_000],
  ] as const)(
    '%s: any amount confirms it, and another one is for a person',
    async (status, profits, paid) => {
      const options = { status, durationDays: 5, ...(profits && { profits: [...profits] }) };
      for (const amount of [paid - 0.01, paid + 0.01, 100]) {
        const { pays, investmentExternalId, id } = await invested(options);
        expect(await pays({ amount })).toMatchObject({
          outcome: 'APPLIED',
          toDecide: `It reports a payout of ${amount.toFixed(2)} USD and a penalty of 0.00 USD of the investment ${investmentExternalId}, which was paid out here with ${paid.toFixed(2)} USD and a penalty of 0.00 USD.`,
        });
        expect(await isConfirmed(id)).toBe(true);
      }
      const { pays, id } = await invested(options);
      expect(await isConfirmed(id)).toBe(false);
      expect(await pays({ amount: paid })).not.toHaveProperty('toDecide');
      expect(await isConfirmed(id)).toBe(true);
      const other = await invested(options);
      const event = await other.store({ amount: 100 });
      await other.confirm(event);
      expect(await other.apply(event)).not.toHaveProperty('toDecide');
    },
  );

  test.each([
    [{ amount: 1_000, penalty: 50 }, true],
    [{ amount: 1_000 }, true],
    [{ amount: 1_000, penalty: 50.01 }, false],
    [{ amount: 950 }, false],
  ])('with a penalty of 50, as %o: the same is %s', async (data, isSame) => {
    const { pays } = await invested({ status: 'WITHDRAWN', penaltyMinor: 50_00 });
    const applied = await pays(data);
    expect(applied).toMatchObject({ outcome: 'APPLIED' });
    expect('toDecide' in applied).toBe(!isSame);
  });

  test('that a late profit was paid out after: 1,000 and then 10, as 1,000, 1,010 and 1,100', async () => {
    for (const [amount, isSame] of [
      [1_000, false],
      [1_010, true],
      [1_100, false],
    ] as const) {
      const { provider, pays, investmentExternalId } = await invested({ status: 'MATURED', durationDays: 5 });
      const profit = { investmentExternalId, externalId: v7(), amount: 10 };
      expect(await provider.report({ type: 'profit.distributed', data: profit })).toMatchObject({
        outcome: 'APPLIED',
      });
      const applied = await pays({ amount }, new Date());
      expect(applied).toMatchObject({ outcome: 'APPLIED' });
      expect('toDecide' in applied).toBe(!isSame);
    }
  });

  test('of a total loss by an amount is its effect', async () => {
    const { pays } = await invested({
      ...{ status: 'MATURED', durationDays: 5, profits: [{ amountMinor: -1_000_00 }] },
    });
    expect(await pays({ amount: 5 })).toMatchObject({ outcome: 'APPLIED' });
    expect(await violations(own.db)).toEqual([]);
  });
});

describe('a payout of 100 of 1,000 and the maturity, at once', () => {
  test('the full sum is paid and the report is for a person, or the report waits and nothing is paid', async () => {
    const policy = policyFrom({});
    for (let n = 0; n < 10; n += 1) {
      const { id, userId, store, apply } = await invested({ durationDays: 5, lockDays: 0 });
      const event = await store({ amount: 100, status: 'WITHDRAWN' });
      const mature = () => matureWhenDue(own.db, policy, { participationId: id, userId, at: now() });
      const [{ outcome }, { status }] = await Promise.all([apply(event), mature()]);
      expect(`${outcome} ${status}`).toMatch(/^(WAITING ACTIVE|APPLIED MATURED)$/);
      expect(await mature()).toMatchObject({ status });
    }
  });
});

describe('a part that is only a penalty', () => {
  test('is booked under the transaction that it has', async () => {
    const { pays, investmentExternalId } = await invested();
    expect(await pays({ amount: 5, penalty: 5, status: 'PARTIAL' })).toMatchObject({ outcome: 'DEAD' });
    const { store, apply, confirm, id } = await invested();
    const event = await store({ amount: 5, penalty: 5, status: 'PARTIAL' });
    await confirm(event);
    expect(await apply(event)).toMatchObject({ outcome: 'APPLIED' });
    expect(await violations(own.db)).toEqual([]);
    expect(
      await rows(
        own.db,
        `SELECT x.type FROM ledger_transfers t JOIN investment_transactions x
           ON t.kind = 'provider-payout' AND t.subject_id = x.id::text WHERE x.participation_id = $1`,
        [id],
      ),
    ).toEqual([{ type: 'PENALTY' }]);
    expect(await standing(own.db, investmentExternalId)).toMatchObject({
      participation: { withdrawnMinor: 0 },
    });
  });
});

describe('one externalId with a penalty, then with an amount too', () => {
  const same = (externalId: string) => ({
    outcome: 'DEAD',
    reason: expect.stringMatching(
      new RegExp(
        `^Its externalId ${externalId} was already reported with another amount( or penalty than|: \\d+\\.00 USD, and now) \\d+\\.00 USD`,
      ),
    ) as string,
  });

  test.each([
    [
      { amount: 5, penalty: 5 },
      { amount: 15, penalty: 5 },
    ],
    [
      { amount: 5, penalty: 5 },
      { amount: 16, penalty: 6 },
    ],
    [{ amount: 10, penalty: 1 }, { amount: 10 }],
    [{ amount: 10 }, { amount: 10, penalty: 1 }],
    [
      { amount: 10, penalty: 1 },
      { amount: 1, penalty: 1 },
    ],
  ])('%o, then %o: DEAD; the first again is a repeat', async (first, second) => {
    const { store, apply, confirm, pays } = await invested();
    const of = { externalId: v7(), status: 'PARTIAL' };
    const id = await store({ ...of, ...first });
    await confirm(id);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
    expect(await pays({ ...of, ...second })).toEqual(same(of.externalId));
    expect(await pays({ ...of, ...first })).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
  });
});
