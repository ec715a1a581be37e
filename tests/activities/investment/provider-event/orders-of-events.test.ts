import { v7 } from 'uuid';
import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { policyFrom } from '../../../../db/policy/config';
import { firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting, standing, type Report } from './reporting';

const own = ownDatabase();

const policy = policyFrom({});
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Two days ago, so that reports come within the time that they may wait, and the lock period is that of their own time. */
const BEGUN = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS;
/** The time so many hours after the first report. */
const hour = (hours: number): string => new Date(BEGUN + hours * HOUR_MS).toISOString();
const day = (days: number): string => hour(24 * days);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** All orders of these, with one more that depends on the first of them only, at every place in turn. */
const permutationsWith = <T>(items: readonly T[], more: T): T[][] =>
  permutations(items).map((order, n) => order.toSpliced(n % (items.length + 1), 0, more));

/** A verified user, and a strategy of a provider. */
async function begin(terms: { lockDays?: number } = {}) {
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db, { totalCapacityMinor: 5_000_00, ...terms });
  await make.signedIn(own.db, strategy.providerCode, user.id);
  return { user, strategy, ...reporting(own.db, strategy.providerCode) };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** The life of an investment in seven reports; the amounts of the last one are what its provider pays. */
const life = ({ user, strategy }: Begun, externalId: string): Report[] => {
  const of = { investmentExternalId: externalId };
  return [
    {
      type: 'investment.created',
      timestamp: hour(0),
      data: {
        ...{
          externalId,
          userId: user.id,
          strategyCode: strategy.strategyCode,
          amount: 1_000,
          currency: 'USD',
        },
        ...{ startDate: day(0), maturityDate: day(213) },
      },
    },
    { type: 'profit.distributed', timestamp: hour(1), data: { ...of, externalId: v7(), amount: 12.5 } },
    { type: 'profit.distributed', timestamp: hour(2), data: { ...of, externalId: v7(), amount: -2.25 } },
    {
      type: 'investment.updated',
      timestamp: hour(3),
      data: { ...of, currentValue: 1_010.25, maturityDate: day(273) },
    },
    { type: 'investment.updated', timestamp: hour(4), data: { ...of, currentValue: 1_011 } },
    {
      type: 'investment.withdrawn',
      timestamp: hour(5),
      data: { ...of, externalId: v7(), amount: 201.5, penalty: 1.5, status: 'PARTIAL' },
    },
    {
      type: 'investment.withdrawn',
      timestamp: hour(6),
      data: { ...of, externalId: v7(), amount: 809.25, penalty: 4, status: 'WITHDRAWN' },
    },
  ];
};

const verified = ({ user }: Begun): Report => ({
  ...{ type: 'kyc.synced', timestamp: hour(1) },
  data: { userId: user.id, status: 'APPROVED', level: 'STANDARD' },
});

describe('the order in which reports come', () => {
  test('makes no difference: created, profit, updated and withdrawn in all 24 orders', async () => {
    const states: unknown[] = [];
    for (const order of permutations([0, 1, 3, 6])) {
      const begun = await begin();
      const externalId = v7();
      const reports = life(begun, externalId);
      reports[6]!.data['amount'] = 1_012.5;
      expect(await begun.reportAll(order.map((index) => reports[index]!))).toEqual({ waiting: 0 });
      states.push(withoutIds(await standing(own.db, externalId)));
    }
    expect(states).toHaveLength(24);
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
    expect(states[0]).toMatchObject({
      participation: {
        ...{ status: 'WITHDRAWN', origin: 'PROVIDER', paymentStatus: 'PAID', earnedMinor: 1_250 },
        ...{ reservedMinor: 0, activeParticipations: 0, reportedValueMinor: 101_025 },
      },
      transactions: [
        { type: 'DEPOSIT', amountMinor: 100_000 },
        { type: 'PENALTY', amountMinor: 400 },
        { type: 'PROFIT', amountMinor: 1_250 },
        { type: 'WITHDRAWAL', amountMinor: 100_850 },
      ],
      balances: [
        { account: expect.stringContaining('clearing_provider_') as string, balanceMinor: -100_850 },
        { account: 'wallet', balanceMinor: 100_850 },
      ],
      events: [
        { type: 'investment.created', amountMinor: '100000' },
        { type: 'profit.distributed', amountMinor: '1250' },
      ],
    });
  });

  test('makes no difference with losses, parts and later words: each report first, each last, and turned round', async () => {
    const states: unknown[] = [];
    const indexes = [0, 1, 2, 3, 4, 5, 6];
    const orders = [
      indexes,
      [...indexes].reverse(),
      ...indexes.map((index) => [index, ...indexes.filter((other) => other !== index)]),
      ...indexes.map((index) => [...indexes.filter((other) => other !== index), index]),
      ...indexes.map((_, by) => [...indexes.slice(by), ...indexes.slice(0, by)].reverse()),
    ];
    for (const order of orders) {
      const begun = await begin();
      const externalId = v7();
      const reports = life(begun, externalId);
      expect(await begun.reportAll(order.map((index) => reports[index]!))).toEqual({ waiting: 0 });
      states.push(withoutIds(await standing(own.db, externalId)));
    }
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
    expect(states[0]).toMatchObject({
      participation: {
        ...{ status: 'WITHDRAWN', earnedMinor: 1_025, withdrawnMinor: 20_150, reportedValueMinor: 101_100 },
        ...{ maturesAt: new Date(day(273)), reservedMinor: 0 },
      },
      balances: [
        { account: expect.stringContaining('clearing_provider_') as string, balanceMinor: -100_525 },
        { account: 'wallet', balanceMinor: 100_525 },
      ],
    });
  });

  test('makes no difference where all five types say of the same moment', async () => {
    const states: unknown[] = [];
    for (const order of permutationsWith([0, 1, 3, 6], 7)) {
      const begun = await begin();
      const externalId = v7();
      const reports = [...life(begun, externalId), verified(begun)].map((report) => ({
        ...report,
        timestamp: hour(1),
      }));
      reports[6]!.data['amount'] = 1_012.5;
      expect(await begun.reportAll(order.map((index) => reports[index]!))).toEqual({ waiting: 0 });
      states.push(withoutIds(await standing(own.db, externalId)));
    }
    expect(states).toHaveLength(24);
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
    expect(states[0]).toMatchObject({
      participation: { status: 'WITHDRAWN', earnedMinor: 1_250, reportedValueMinor: 101_025 },
      balances: [{ balanceMinor: -100_850 }, { account: 'wallet', balanceMinor: 100_850 }],
    });
  });

  test.each([
    ['of none of the profit', 1_000, 1_050],
    ['of a part of the profit', 1_020, 1_050],
    ['of all of the profit', 1_050, null],
  ])(
    'makes no difference for a payout %s: one wallet, one decision, in all 6 orders',
    async (_, paid, held) => {
      const ends: unknown[] = [];
      for (const order of permutations([0, 1, 6])) {
        const begun = await begin({ lockDays: 0 });
        const externalId = v7();
        const reports = life(begun, externalId);
        reports[1]!.data['amount'] = 50;
        Object.assign(reports[6]!.data, { amount: paid, penalty: 0 });
        expect(await begun.reportAll(order.map((index) => reports[index]!))).toEqual({ waiting: 0 });
        const { participation, balances } = withoutIds(await standing(own.db, externalId)) as Standing;
        const decisions = await rows<{ lastError: string }>(
          own.db,
          'SELECT last_error FROM webhook_events WHERE provider = $1 AND last_error IS NOT NULL',
          [begun.strategy.providerCode],
        );
        const asked = decisions.map(({ lastError }) => lastError.replace(externalId, 'it'));
        ends.push({ participation, balances, asked });
      }
      expect(ends).toHaveLength(6);
      expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
      expect(ends[0]).toMatchObject({
        participation: { status: 'WITHDRAWN', earnedMinor: 50_00, reservedMinor: 0 },
        balances: [{ account: 'clearing_provider_' }, { account: 'wallet', balanceMinor: paid * 100 }],
        asked:
          held === null
            ? []
            : [
                `The investment it was paid out with ${paid}.00 USD, less than the ${held}.00 USD that it holds.`,
              ],
      });
    },
  );

  test('of two words of one moment the first that came stays, for the value, the maturity and the course', async () => {
    const begun = await begin();
    const externalId = v7();
    const [created] = life(begun, externalId);
    const said = (currentValue: number, maturityDate: string): Report => ({
      ...{ type: 'investment.updated', timestamp: hour(3) },
      data: { investmentExternalId: externalId, currentValue, maturityDate },
    });
    const [first, second] = [said(1_020, '2027-02-20'), said(1_010, '2027-02-10')];
    expect(await begun.reportAll([first, second, created!])).toEqual({ waiting: 0 });
    expect(await standing(own.db, externalId)).toMatchObject({
      participation: { reportedValueMinor: 102_000, maturesAt: new Date('2027-02-20T00:00:00.000Z') },
      values: [{ reportedAt: new Date(hour(3)), valueMinor: 102_000 }],
    });
  });

  test('the same reports again, under new ids, change nothing', async () => {
    const begun = await begin();
    const externalId = v7();
    const reports = life(begun, externalId);
    await begun.reportAll(reports);
    const before = await standing(own.db, externalId);
    expect(await begun.reportAll(reports)).toEqual({ waiting: 0 });
    expect(await standing(own.db, externalId)).toEqual(before);
    const dead = await firstRow(own.db, `SELECT 1 FROM webhook_events WHERE status = 'DEAD'`);
    expect(dead).toBeNull();
  });

  test('an older word comes late: it is kept for the course, and replaces nothing', async () => {
    const begun = await begin();
    const externalId = v7();
    const [created] = life(begun, externalId);
    const updated = (hours: number, said: Record<string, unknown>): Report => ({
      type: 'investment.updated',
      timestamp: hour(hours),
      data: { investmentExternalId: externalId, ...said },
    });
    await begun.report(created!);
    await begun.report(updated(30, { currentValue: 1_030, maturityDate: day(270) }));
    await begun.report(updated(10, { currentValue: 1_010, maturityDate: day(260) }));
    await begun.report(updated(44, { currentValue: 1_044 }));
    expect(await standing(own.db, externalId)).toMatchObject({
      participation: {
        reportedValueMinor: 104_400,
        valueReportedAt: new Date(hour(44)),
        maturesAt: new Date(day(270)),
      },
      values: [
        { reportedAt: new Date(hour(10)), valueMinor: 101_000 },
        { reportedAt: new Date(hour(44)), valueMinor: 104_400 },
      ],
    });
  });
});

describe('an investment whose maturity lies in the past', () => {
  /** Its reports; the payout is what it holds at its maturity, and comes with it or after it. */
  const past = (begun: Begun, externalId: string, paidAt: string): Report[] => {
    const [created, profit] = life(begun, externalId);
    const of = { investmentExternalId: externalId };
    created!.data['maturityDate'] = hour(20);
    return [
      created!,
      profit!,
      {
        ...{ type: 'investment.updated', timestamp: hour(20) },
        data: { ...of, currentValue: 1_012.5, maturityDate: hour(20), status: 'MATURED' },
      },
      {
        ...{ type: 'investment.withdrawn', timestamp: paidAt },
        data: { ...of, externalId: v7(), amount: 1_012.5 },
      },
      verified(begun),
    ];
  };

  /** Reports, each followed by what the process of the investment does as soon as it is told. */
  async function reportWithProcess({ user, store, apply }: Begun, reports: readonly Report[]) {
    let open: string[] = [];
    for (const report of reports) {
      open.push(await store(report));
      const still: string[] = [];
      for (const id of open) {
        const applied = await apply(id);
        if (applied.outcome === 'WAITING') still.push(id);
        else expect(applied.outcome).not.toBe('DEAD');
        const moved = 'participation' in applied ? applied.participation : null;
        if (moved)
          await matureWhenDue(own.db, policy, {
            ...{ participationId: moved.participationId, userId: user.id, at: new Date().toISOString() },
          });
      }
      open = still;
    }
    for (const id of open) expect((await apply(id)).outcome).not.toMatch('WAITING|DEAD');
  }

  test.each([
    ['at its maturity', hour(20)],
    ['a day after it', hour(44)],
  ])('is paid to its owner once, in all orders, ended here or there; the payout is %s', async (_, paidAt) => {
    const ends = new Set<string>();
    for (const order of permutationsWith([0, 1, 2, 3], 4)) {
      const begun = await begin();
      const externalId = v7();
      const reports = past(begun, externalId, paidAt);
      await reportWithProcess(
        begun,
        order.map((index) => reports[index]!),
      );
      const { participation, balances, transactions } = await standing(own.db, externalId);
      expect({ order, balances }).toEqual({
        order,
        balances: [
          { account: expect.stringContaining('clearing_provider_') as string, balanceMinor: -101_250 },
          { account: 'wallet', balanceMinor: 101_250 },
        ],
      });
      expect(participation).toMatchObject({ earnedMinor: 1_250, reservedMinor: 0, activeParticipations: 0 });
      expect(transactions.filter((row) => (row as { type: string }).type === 'WITHDRAWAL')).toHaveLength(1);
      ends.add((participation as { status: string }).status);
    }
    expect([...ends].sort()).toEqual(['MATURED', 'WITHDRAWN']);
  });
});

type Standing = Awaited<ReturnType<typeof standing>>;

/** Removes ids and codes of the provider, which differ each time. */
const withoutIds = (state: Standing): unknown => ({
  ...state,
  transactions: state.transactions.map((row) => ({ ...row, externalId: null })),
  balances: state.balances.map((row) => ({
    ...row,
    account: (row as { account: string }).account.replace(/clearing_provider_.*/, 'clearing_provider_'),
  })),
});
