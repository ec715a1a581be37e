import { v7 } from 'uuid';
import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { reporting, standing } from '../reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const HOUR_MS = 3_600_000;
const BEGUN = Date.now() - 24 * HOUR_MS;
const hour = (hours: number): string => new Date(BEGUN + hours * HOUR_MS).toISOString();

/** An investment of 1,000 that was paid here, runs since so many days, and is known to its provider. */
async function running(days = 1) {
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db, { lockDays: 0 });
  const provider = reporting(own.db, strategy.providerCode);
  const investmentExternalId = v7();
  await make.participation(own.db, {
    ...{ userId: user.id, strategyId: strategy.id, status: 'ACTIVE', externalId: investmentExternalId },
    at: new Date(BEGUN - days * 24 * HOUR_MS),
  });
  return {
    state: () => standing(own.db, investmentExternalId),
    send: (type: string, hours: number, data: Record<string, unknown>) =>
      provider.report({
        ...{ type, timestamp: hour(hours) },
        data: { investmentExternalId, externalId: v7(), ...data },
      }),
    wallet: async () =>
      (
        await firstRow<{ minor: number }>(
          own.db,
          `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM ledger_entries
           WHERE user_id = $1 AND account = 'wallet'`,
          [user.id],
        )
      )?.minor,
  };
}

describe('a payout of all of the principal, but not of the returns', () => {
  test.each([undefined, 'WITHDRAWN'])(
    'ends it (status %s), is credited, and a person is told',
    async (status) => {
      const { send, state, wallet } = await running();
      await send('profit.distributed', 1, { amount: 200 });
      expect(
        await send('investment.withdrawn', 2, { amount: 1_000, ...(status && { status }) }),
      ).toMatchObject({
        outcome: 'APPLIED',
        toDecide: expect.stringMatching(
          /^The investment \S+ was paid out with 1000\.00 USD, less than the 1200\.00 USD that it holds\.$/,
        ) as string,
      });
      expect(await state()).toMatchObject({ participation: { status: 'WITHDRAWN', reservedMinor: 0 } });
      expect(await wallet()).toBe(1_000_00);
    },
  );

  test('a loss before it that is reported later is recorded, and takes nothing from the wallet', async () => {
    const { send, state, wallet } = await running();
    await send('profit.distributed', 1, { amount: 200 });
    await send('investment.withdrawn', 3, { amount: 1_000 });
    expect(await send('profit.distributed', 2, { amount: -200 })).toMatchObject({ outcome: 'APPLIED' });
    expect(await state()).toMatchObject({ participation: { status: 'WITHDRAWN', earnedMinor: 0 } });
    expect(await wallet()).toBe(1_000_00);
  });

  test('of which more is kept than the terms ask for waits for a person', async () => {
    const { send } = await running();
    await send('profit.distributed', 1, { amount: 200 });
    expect(await send('investment.withdrawn', 2, { amount: 1_200, penalty: 200 })).toMatchObject({
      outcome: 'WAITING',
    });
  });
});

describe('a payout after a loss that is reported later', () => {
  test('is a part until the loss shows that it was all that was left: then it has ended it', async () => {
    const { send, state, wallet } = await running();
    expect(await send('investment.withdrawn', 2, { amount: 900 })).toMatchObject({ outcome: 'APPLIED' });
    expect(await state()).toMatchObject({ participation: { status: 'ACTIVE', reservedMinor: 100_00 } });
    expect(await send('profit.distributed', 1, { amount: -100 })).toMatchObject({
      outcome: 'APPLIED',
      participation: { exists: true },
    });
    const ended = await state();
    expect(ended).toMatchObject({
      participation: {
        ...{ status: 'WITHDRAWN', earnedMinor: -100_00, reservedMinor: 0, activeParticipations: 0 },
        payoutReportedAt: new Date(hour(2)),
      },
    });
    expect(await wallet()).toBe(900_00);

    const inOrder = await running();
    await inOrder.send('profit.distributed', 1, { amount: -100 });
    await inOrder.send('investment.withdrawn', 2, { amount: 900 });
    const alike = await inOrder.state();
    expect(ended.transactions.map(withoutId)).toEqual(alike.transactions.map(withoutId));
    expect(ended.balances.map(amountOf)).toEqual(alike.balances.map(amountOf));
  });

  test('a loss after the part leaves it running, with what is left', async () => {
    const { send, state } = await running();
    await send('investment.withdrawn', 1, { amount: 900 });
    await send('profit.distributed', 2, { amount: -100 });
    expect(await state()).toMatchObject({ participation: { status: 'ACTIVE', reservedMinor: 100_00 } });
  });

  test('a smaller loss leaves it running', async () => {
    const { send, state } = await running();
    await send('investment.withdrawn', 2, { amount: 900 });
    await send('profit.distributed', 1, { amount: -99.99 });
    expect(await state()).toMatchObject({ participation: { status: 'ACTIVE', earnedMinor: -99_99 } });
  });
});

test('reports that come seven days late, in any order, count at their own time and pay once', async () => {
  const late = -7 * 24;
  for (const order of [
    ['profit', 'payout'],
    ['payout', 'profit'],
  ]) {
    const { send, state, wallet } = await running(8);
    for (const which of order)
      await (which === 'profit'
        ? send('profit.distributed', late, { amount: 50 })
        : send('investment.withdrawn', late + 1, { amount: 1_050 }));
    expect(await state()).toMatchObject({
      participation: { status: 'WITHDRAWN', earnedMinor: 50_00, payoutReportedAt: new Date(hour(late + 1)) },
      transactions: [
        { type: 'DEPOSIT' },
        { type: 'PROFIT', occurredAt: new Date(hour(late)) },
        { type: 'WITHDRAWAL', occurredAt: new Date(hour(late + 1)) },
      ],
    });
    expect(await wallet()).toBe(1_050_00);
  }
});

const withoutId = (row: object): object => ({ ...row, externalId: null });
const amountOf = (row: unknown): unknown => (row as { balanceMinor: unknown }).balanceMinor;
