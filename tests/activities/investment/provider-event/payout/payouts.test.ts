import { v7 } from 'uuid';
import { rows } from '../../../../../db/sql/query';
import { walletMinor } from '../../../../support/builders/investing/investors';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { reporting, standing } from '../reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Investments of 1,000 that run at one provider. */
async function running(count = 1) {
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db, { lockDays: 3_650 });
  await make.signedIn(own.db, strategy.providerCode, user.id);
  const provider = reporting(own.db, strategy.providerCode);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const externalId = v7();
    const made = { userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000, currency: 'USD' };
    await provider.report({
      type: 'investment.created',
      data: { externalId, ...made, startDate: '2026-06-01T12:00:00Z' },
    });
    ids.push(externalId);
  }
  return { ...provider, user, strategy, ids };
}

describe('one externalId for two investments at once', () => {
  test.each(['profit.distributed', 'investment.withdrawn'])(
    '%s: one has it, the other is DEAD, and nothing is without its transaction',
    async (type) => {
      const { ids, store, apply } = await running(2);
      const status = 'PARTIAL';
      for (let n = 0; n < 10; n += 1) {
        const data = { externalId: v7(), amount: 10, status };
        const reports = await Promise.all(
          ids.map((investmentExternalId) => store({ type, data: { ...data, investmentExternalId } })),
        );
        const tries = await Promise.allSettled(reports.map(apply));
        const outcomes = await Promise.all(
          tries.map(async (tried, index) =>
            tried.status === 'fulfilled' ? tried.value : apply(reports[index]!),
          ),
        );
        expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['APPLIED', 'DEAD']);
      }
    },
  );
});

describe('a payout without a status', () => {
  const pays = async (data: { amount: number; penalty?: number }, lost = 0) => {
    const { ids, report, user } = await running();
    const about = { investmentExternalId: ids[0]! };
    if (lost !== 0)
      await report({ type: 'profit.distributed', data: { ...about, externalId: v7(), amount: -lost } });
    const payout = { ...about, externalId: v7(), ...data };
    expect(await report({ type: 'investment.withdrawn', data: payout })).toMatchObject({
      outcome: 'APPLIED',
    });
    const { participation, transactions } = await standing(own.db, ids[0]!);
    return { participation, transactions, walletMinor: await walletMinor(own.db, user.id) };
  };

  test('of all of the principal ends it: its amount leaves, and the penalty in it is not paid', async () => {
    expect(await pays({ amount: 1_000, penalty: 50 })).toEqual({
      participation: expect.objectContaining({ status: 'WITHDRAWN', reservedMinor: 0 }) as unknown,
      transactions: [
        expect.objectContaining({ type: 'DEPOSIT', amountMinor: 1_000_00 }) as unknown,
        expect.objectContaining({ type: 'PENALTY', amountMinor: 50_00 }) as unknown,
        expect.objectContaining({ type: 'WITHDRAWAL', amountMinor: 950_00 }) as unknown,
      ],
      walletMinor: 950_00,
    });
  });

  test('of less than the principal leaves the rest running, less the penalty in it', async () => {
    expect(await pays({ amount: 400, penalty: 10 })).toMatchObject({
      participation: { status: 'ACTIVE', withdrawnMinor: 400_00, reservedMinor: 600_00 },
      walletMinor: 390_00,
    });
  });

  test('of what losses have left of the principal ends it', async () => {
    expect(await pays({ amount: 800 }, 200)).toMatchObject({
      participation: { status: 'WITHDRAWN', reservedMinor: 0 },
      walletMinor: 800_00,
    });
  });

  test('whose penalty is more than its amount is DEAD', async () => {
    const { ids, report } = await running();
    const data = { investmentExternalId: ids[0], externalId: v7(), amount: 10, penalty: 10.01 };
    expect(await report({ type: 'investment.withdrawn', data })).toEqual({
      outcome: 'DEAD',
      reason: 'Its penalty of 10.01 USD is more than the 10.00 USD of which it is a part.',
    });
  });
});

describe('a payout with a status is decided by its amount', () => {
  const pays = async (amount: number, status: string, earned = 0) => {
    const { ids, report, user } = await running();
    const of = { investmentExternalId: ids[0], externalId: v7() };
    if (earned > 0)
      await report({ type: 'profit.distributed', data: { ...of, externalId: v7(), amount: earned } });
    const paid = await report({ type: 'investment.withdrawn', data: { ...of, amount, status } });
    expect(paid).toMatchObject({ outcome: 'APPLIED' });
    const { participation } = await standing(own.db, ids[0]!);
    return { participation, walletMinor: await walletMinor(own.db, user.id) };
  };

  test.each(['COMPLETED', 'ACTIVE', 'partial'])(
    'less than the principal with the status %s is a part',
    async (status) => {
      expect(await pays(400, status)).toMatchObject({
        participation: { status: 'ACTIVE', withdrawnMinor: 400_00, reservedMinor: 600_00 },
        walletMinor: 400_00,
      });
    },
  );

  test.each([
    ['ACTIVE', 0],
    ['PARTIAL', 0],
    ['PARTIAL', 50],
    ['COMPLETED', 0],
  ])('all of the principal with the status %s ends it, returns of %d or not', async (status, earned) => {
    expect(await pays(1_000, status, earned)).toMatchObject({
      participation: { status: 'WITHDRAWN', reservedMinor: 0 },
      walletMinor: 1_000_00,
    });
  });
});

describe('a payout that leaves nothing to its owner', () => {
  test.each<[{ amount: number; penalty?: number }, string]>([
    [{ amount: 0 }, ': 0.00 USD, and now 7.00 USD.'],
    [{ amount: 5, penalty: 5 }, ' or penalty than 7.00 USD and 5.00 USD.'],
  ])('%o: the same again is a repeat, another is DEAD', async (paid, than) => {
    const {
      ids: [investmentExternalId],
      report,
    } = await running();
    await report({
      type: 'profit.distributed',
      data: { investmentExternalId, externalId: v7(), amount: -1_000 + (paid.penalty ?? 0) },
    });
    const payout = { investmentExternalId, externalId: v7(), ...paid };
    const send = (data: Record<string, unknown>) => report({ type: 'investment.withdrawn', data });
    expect(await send(payout)).toMatchObject({ outcome: 'APPLIED' });
    expect(await standing(own.db, investmentExternalId!)).toMatchObject({
      participation: { status: 'WITHDRAWN', reservedMinor: 0 },
      balances: [],
    });
    expect(await send(payout)).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
    expect(await send({ ...payout, amount: 7 + (paid.penalty ?? 0) })).toEqual({
      outcome: 'DEAD',
      reason: `Its externalId ${payout.externalId} was already reported with another amount${than}`,
    });
    expect(await send({ ...payout, externalId: v7() })).toMatchObject({ outcome: 'DEAD' });
  });

  test('that we ended is confirmed once', async () => {
    const { user, strategy, report } = await running();
    const externalId = v7();
    const { id } = await make.participation(own.db, {
      ...{ userId: user.id, strategyId: strategy.id, externalId, status: 'MATURED' },
      profits: [{ amountMinor: -1_000_00 }],
    });
    const payout = { investmentExternalId: externalId, externalId: v7(), amount: 0 };
    const send = (data: Record<string, unknown>) => report({ type: 'investment.withdrawn', data });
    expect(await send(payout)).toMatchObject({ outcome: 'APPLIED' });
    expect(await send(payout)).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
    expect(await send({ ...payout, externalId: v7() })).toMatchObject({ outcome: 'DEAD' });
    expect(await rows(own.db, 'SELECT payout_external_id FROM participations WHERE id = $1', [id])).toEqual([
      { payoutExternalId: payout.externalId },
    ]);
  });
});
