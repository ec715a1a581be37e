import { v7 } from 'uuid';
import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { settleParticipation } from '../../../../activities/investment/participation/settle-participation';
import {
  changeParticipation,
  lockParticipation,
} from '../../../../db/investment/participation/participation.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting } from './reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const DAY_MS = 86_400_000;

/** A strategy of a provider, and its investors; `moved` answers what was booked since, by account, in minor units. */
async function begin(lockDays = 0) {
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db, { lockDays });
  const { providerCode } = strategy;
  await make.signedIn(own.db, providerCode, user.id);
  await make.money(own.db, user.id, 1_000_00);
  const provider = reporting(own.db, providerCode);
  const balances = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (
        await rows<{ account: string; minor: number }>(
          own.db,
          `SELECT account, sum(amount_minor)::bigint AS minor FROM ledger_entries
           WHERE account IN ('investments', 'clearing_bank', 'penalties', 'clearing_provider_' || $1)
             OR (account = 'wallet' AND user_id = $2) GROUP BY account`,
          [providerCode, user.id],
        )
      ).map(({ account, minor }) => [account.replace(`provider_${providerCode}`, 'provider'), minor]),
    );
  const before = await balances();
  return {
    user,
    strategy,
    send: (type: string, investmentExternalId: string, data: Record<string, unknown>) =>
      provider.report({ type, data: { investmentExternalId, externalId: v7(), ...data } }),
    report: provider.report,
    /** An investment of 1,000 that is paid from the wallet and known to its provider. */
    pays: async (startedDaysAgo = 1, autoReinvest = false) => {
      const externalId = v7();
      const of = { userId: user.id, strategyId: strategy.id, autoReinvest, durationDays: 90 };
      const { id } = await make.participation(own.db, of);
      const at = new Date(Date.now() - startedDaysAgo * DAY_MS);
      await inTransaction(own.db, async (tx) => {
        const participation = (await lockParticipation(tx, id))!;
        await settleParticipation(tx, participation, {
          ...{ method: 'BALANCE', provider: null, at: at.toISOString() },
        });
        await changeParticipation(tx, id, { externalId }, at);
      });
      return { id, externalId };
    },
    moved: async () => {
      const after = await balances();
      return Object.fromEntries(
        Object.entries(after)
          .map(([account, minor]) => [account, minor - (before[account] ?? 0)] as const)
          .filter(([, minor]) => minor !== 0),
      );
    },
  };
}

describe('the ledger of an investment', () => {
  test('1,000 from the wallet is owed, and passed on from our bank to the provider; a profit is held there and owed', async () => {
    const { pays, send, moved } = await begin();
    const { externalId } = await pays();
    const paid = { wallet: -1_000_00, clearing_bank: 1_000_00 };
    expect(await moved()).toEqual({ ...paid, investments: 1_000_00, clearing_provider: -1_000_00 });
    await send('profit.distributed', externalId, { amount: 12.5 });
    expect(await moved()).toEqual({ ...paid, investments: 1_012_50, clearing_provider: -1_012_50 });
    await send('profit.distributed', externalId, { amount: -2 });
    expect(await moved()).toEqual({ ...paid, investments: 1_010_50, clearing_provider: -1_010_50 });
    await send('investment.withdrawn', externalId, { amount: 400, status: 'PARTIAL' });
    expect(await moved()).toEqual({
      ...{ wallet: -600_00, clearing_bank: 1_000_00 },
      ...{ investments: 610_50, clearing_provider: -1_010_50 },
    });
  });

  test('what a provider reports of its own is held there and owed; its payout is owed no more', async () => {
    const { user, strategy, report, send, moved } = await begin();
    const externalId = v7();
    const made = { externalId, userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000 };
    const startDate = new Date(Date.now() - DAY_MS).toISOString();
    await report({ type: 'investment.created', data: { ...made, currency: 'USD', startDate } });
    expect(await moved()).toEqual({ investments: 1_000_00, clearing_provider: -1_000_00 });
    await send('profit.distributed', externalId, { amount: 12.5 });
    await send('investment.withdrawn', externalId, { amount: 1_012.5 });
    expect(await moved()).toEqual({ wallet: 1_012_50, clearing_provider: -1_012_50 });
  });

  test('the penalty of an early payout that a provider makes stays with it: it owes so much less, and we earn nothing', async () => {
    const { pays, send, moved } = await begin(30);
    const { id, externalId } = await pays();
    await send('investment.withdrawn', externalId, { amount: 1_000, penalty: 100 });
    expect(await moved()).toEqual({
      ...{ wallet: -100_00, clearing_bank: 1_000_00 },
      clearing_provider: -900_00,
    });
    expect(
      await rows(
        own.db,
        `SELECT type, amount_minor FROM investment_transactions WHERE participation_id = $1 ORDER BY type`,
        [id],
      ),
    ).toEqual([
      { type: 'DEPOSIT', amountMinor: 1_000_00 },
      { type: 'PENALTY', amountMinor: 100_00 },
      { type: 'WITHDRAWAL', amountMinor: 900_00 },
    ]);
  });

  test('losses beyond the principal are those of the provider, and profits after them fill them first', async () => {
    const { pays, send, moved } = await begin();
    const { externalId } = await pays();
    const paid = { wallet: -1_000_00, clearing_bank: 1_000_00 };
    await send('profit.distributed', externalId, { amount: -900 });
    await send('profit.distributed', externalId, { amount: -200 });
    expect(await moved()).toEqual(paid);
    await send('profit.distributed', externalId, { amount: 150 });
    expect(await moved()).toEqual({ ...paid, investments: 50_00, clearing_provider: -50_00 });
  });

  test.each([
    ['goes to the wallet', false, { wallet: 12_50, clearing_bank: 1_000_00, clearing_provider: -1_012_50 }],
    [
      'stays in investments where it is invested again, and the returns go to the wallet',
      true,
      {
        ...{ wallet: -987_50, clearing_bank: 1_000_00 },
        ...{ investments: 1_000_00, clearing_provider: -1_012_50 },
      },
    ],
  ])('at maturity it %s', async (_, autoReinvest, after) => {
    const { user, pays, send, moved } = await begin();
    const { id, externalId } = await pays(91, autoReinvest);
    await send('profit.distributed', externalId, { amount: 12.5 });
    await matureWhenDue(own.db, policyFrom({}), {
      ...{ participationId: id, userId: user.id, at: new Date().toISOString() },
    });
    expect(await moved()).toEqual(after);
  });
});

test.each<unknown>([null, 3, 'none'])(
  'a penalty of %j in a report that has none changes nothing',
  async (penalty) => {
    const { user, strategy, report } = await begin();
    const { strategyCode, currency } = strategy;
    const externalId = v7();
    const created = {
      externalId,
      userId: user.id,
      strategyCode,
      currency,
      amount: 1_000,
      startDate: '2026-06-01',
    };
    const profit = { externalId: v7(), investmentExternalId: externalId, amount: 5 };
    for (const [type, data] of Object.entries({
      'investment.created': created,
      'profit.distributed': profit,
    }))
      expect(await report({ type, data: { ...data, penalty } })).toMatchObject({ outcome: 'APPLIED' });
  },
);
