import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting, standing } from './reporting';

const own = ownDatabase();
const NOBODYS = v7();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

async function begin(
  options: { level?: 'BASIC' | 'STANDARD'; capacityMinor?: number; closed?: boolean; currency?: string } = {},
) {
  const user = await make.user(own.db, { kycLevel: options.level ?? 'STANDARD' });
  const strategy = await make.strategy(own.db, {
    totalCapacityMinor: options.capacityMinor ?? null,
    currency: options.currency ?? 'USD',
    status: options.closed ? 'CLOSED' : 'ACTIVE',
  });
  await make.signedIn(own.db, strategy.providerCode, user.id);
  const externalId = v7();
  const created = {
    ...{ externalId, userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000 },
    ...{ currency: strategy.currency, startDate: '2026-06-01T12:00:00Z' },
  };
  return { user, strategy, externalId, created, ...reporting(own.db, strategy.providerCode) };
}

/** A provider's investment that runs. */
async function running() {
  const begun = await begin();
  await begun.report({ type: 'investment.created', data: begun.created });
  return { ...begun, of: { investmentExternalId: begun.externalId } };
}

const participationOf = (userId: string) =>
  rows<{
    id: string;
    status: string;
    origin: string;
    externalId: string | null;
    paymentMethod: string | null;
  }>(
    own.db,
    `SELECT id, status, origin, external_id, payment_method FROM participations WHERE user_id = $1 ORDER BY id`,
    [userId],
  );

describe('investment.created', () => {
  test('of no participation here makes one, which runs for the longest term unless the report says otherwise', async () => {
    const { report, created, externalId } = await begin();
    expect(await report({ type: 'investment.created', data: created })).toMatchObject({
      outcome: 'APPLIED',
      participation: { exists: true, label: expect.stringMatching(/^INV-.*1000\.00 USD/) as string },
    });
    expect(await standing(own.db, externalId)).toMatchObject({
      participation: {
        ...{ status: 'ACTIVE', origin: 'PROVIDER', reservedMinor: 1_000_00 },
        ...{
          startedAt: new Date('2026-06-01T12:00:00Z'),
          maturesAt: new Date('2027-06-01T12:00:00Z'),
        },
      },
      transactions: [{ type: 'DEPOSIT', amountMinor: 1_000_00, externalId }],
      balances: [
        { account: expect.stringContaining('clearing_provider_') as string, balanceMinor: -1_000_00 },
      ],
    });
  });

  test('names the participation that it activates: the money came to the provider, and no card is charged any more', async () => {
    const { report, created, user, strategy, externalId } = await begin();
    const older = await make.participation(own.db, { userId: user.id, strategyId: strategy.id });
    const named = await make.participation(own.db, { userId: user.id, strategyId: strategy.id });
    await execute(
      own.db,
      `INSERT INTO payment_attempts (id, participation_id, sequence, provider, method, status, amount_minor, currency,
         expires_at, created_at, updated_at)
       VALUES ($1, $2, 1, 'sandbox', 'CARD', 'PENDING', 100000, 'USD', now() + interval '30 minutes', now(), now())`,
      [v7(), named.id],
    );
    expect(
      await report({ type: 'investment.created', data: { ...created, participationId: named.id } }),
    ).toMatchObject({ outcome: 'APPLIED', participation: { participationId: named.id } });
    expect(await participationOf(user.id)).toEqual([
      expect.objectContaining({ id: older.id, status: 'PENDING_PAYMENT', externalId: null }),
      { id: named.id, status: 'ACTIVE', origin: 'PROVIDER', externalId, paymentMethod: null },
    ]);
    expect(
      await firstRow(own.db, 'SELECT status FROM payment_attempts WHERE participation_id = $1', [named.id]),
    ).toEqual({ status: 'CANCELLED' });
  });

  test('else it is the oldest of that strategy and amount without an externalId', async () => {
    const { report, created, user, strategy } = await begin();
    const of = { userId: user.id, strategyId: strategy.id };
    const other = await make.participation(own.db, { ...of, amountMinor: 2_000_00 });
    const oldest = await make.participation(own.db, { ...of, status: 'ACTIVE' });
    const next = await make.participation(own.db, of);
    const second = { ...created, externalId: v7() };
    await report({ type: 'investment.created', data: created });
    await report({ type: 'investment.created', data: second });
    expect(await participationOf(user.id)).toEqual([
      expect.objectContaining({ id: other.id, status: 'PENDING_PAYMENT', externalId: null }),
      expect.objectContaining({ id: oldest.id, status: 'ACTIVE', externalId: created.externalId }),
      expect.objectContaining({ id: next.id, status: 'ACTIVE', externalId: second.externalId }),
    ]);
    const deposits = await rows(
      own.db,
      `SELECT 1 FROM investment_transactions WHERE user_id = $1 AND type = 'DEPOSIT'`,
      [user.id],
    );
    expect(deposits).toHaveLength(2);
  });

  test('finds its user by email; an unknown user or strategy is waited for', async () => {
    const { report, created, user, store, apply, row } = await begin();
    const { userId, ...rest } = created;
    expect(userId).toBe(user.id);
    const unknown = { ...rest, externalId: v7(), email: 'nobody@example.com' };
    const waiting = await store({ type: 'investment.created', data: unknown });
    expect(await apply(waiting)).toEqual({
      outcome: 'WAITING',
      reason: 'Its user, whom it names by email address, is not known.',
    });
    expect(await row(waiting)).toMatchObject({ status: 'WAITING', attempts: 1 });
    expect(await report({ type: 'investment.created', data: { ...created, strategyCode: 'none' } })).toEqual({
      outcome: 'WAITING',
      reason: 'Its strategy none is not known.',
    });
    const byMail = { ...rest, email: user.email.toUpperCase() };
    expect(await report({ type: 'investment.created', data: byMail })).toMatchObject({ outcome: 'APPLIED' });
  });

  test('an email address that two regions have says of nobody', async () => {
    const { report, created, user } = await begin();
    await make.user(own.db, { email: user.email, region: 'US' });
    const { userId, ...rest } = created;
    expect(userId).toBe(user.id);
    expect(await report({ type: 'investment.created', data: { ...rest, email: user.email } })).toEqual({
      outcome: 'DEAD',
      reason: 'Accounts of several regions have its email address.',
    });
  });

  test.each<[string, Parameters<typeof begin>[0], Record<string, unknown>, string]>([
    [
      'too many decimals',
      {},
      { amount: 1.001 },
      'The amount 1.001 is no amount of USD: it has too many decimals, or is too large.',
    ],
    [
      'decimals that a yen does not have',
      { currency: 'JPY' },
      { amount: 1_000.5 },
      'The amount 1000.5 is no amount of JPY: it has too many decimals, or is too large.',
    ],
    ['no user', {}, { userId: undefined }, 'Fields are missing or not valid: userId.'],
    ['a text for a number', {}, { amount: '1000' }, 'Fields are missing or not valid: amount.'],
    [
      'dates that contradict',
      {},
      { maturityDate: '2026-05-01' },
      'Its maturityDate 2026-05-01 is earlier than its startDate 2026-06-01.',
    ],
    [
      'a participation that is not there',
      {},
      { participationId: NOBODYS },
      `There is no participation ${NOBODYS}.`,
    ],
  ])('%s: DEAD at once, nothing done', async (_, options, changed, words) => {
    const { created, store, apply, row, user, strategy } = await begin(options);
    const reason = words.replace('STRATEGY', strategy.strategyCode).replace('USER', user.id);
    const id = await store({ type: 'investment.created', data: { ...created, ...changed } });
    expect(await apply(id)).toEqual({ outcome: 'DEAD', reason });
    expect(await row(id)).toMatchObject({ status: 'DEAD', error: reason });
    expect(await participationOf(user.id)).toEqual([]);
    const reserved = await firstRow(
      own.db,
      `SELECT 1 FROM investment_strategies WHERE reserved_minor > 0 AND provider_code =
      (SELECT provider FROM webhook_events WHERE id = $1)`,
      [id],
    );
    expect(reserved).toBeNull();
  });

  test('that names the participation of somebody else is DEAD', async () => {
    const { report, created, strategy } = await begin();
    const foreign = await make.participation(own.db, { strategyId: strategy.id });
    expect(
      await report({ type: 'investment.created', data: { ...created, participationId: foreign.id } }),
    ).toEqual({ outcome: 'DEAD', reason: `The participation ${foreign.id} is of another user.` });
  });

  test.each<[string, Parameters<typeof begin>[0], Record<string, unknown>, string]>([
    [
      'the capacity',
      { capacityMinor: 999_00 },
      {},
      'Its strategy STRATEGY has not enough capacity left for 1000.00 USD.',
    ],
    ['a closed strategy', { closed: true }, {}, 'Its strategy STRATEGY is CLOSED.'],
    [
      'the level of its user',
      { level: 'BASIC' },
      {},
      'The identity of its user USER is not verified to the level STANDARD, which 1000.00 USD needs besides 0.00 USD invested.',
    ],
    [
      'the 100,000',
      {},
      { amount: 100_000.01 },
      'The identity of its user USER is not verified to the level ENHANCED, which 100000.01 USD needs besides 0.00 USD invested.',
    ],
  ])(
    'beyond %s is recorded, since its money lies there, and a person is asked',
    async (_, options, changed, words) => {
      const { created, store, apply, row, user, strategy } = await begin(options);
      const id = await store({ type: 'investment.created', data: { ...created, ...changed } });
      const beyond = words.replace('STRATEGY', strategy.strategyCode).replace('USER', user.id);
      const toDecide = expect.stringContaining(beyond) as unknown;
      expect(await apply(id)).toMatchObject({
        outcome: 'APPLIED',
        participation: { exists: true },
        toDecide,
      });
      expect(await row(id)).toMatchObject({ status: 'PROCESSED', error: toDecide });
      // As after a try whose answer was lost.
      expect(await apply(id)).toMatchObject({ outcome: 'WITHOUT_EFFECT', toDecide });
      expect(await participationOf(user.id)).toMatchObject([{ status: 'ACTIVE', origin: 'PROVIDER' }]);
    },
  );

  test('in another currency than its strategy waits', async () => {
    const { created, store, apply, row, strategy, user } = await begin();
    const id = await store({ type: 'investment.created', data: { ...created, currency: 'EUR' } });
    const reason = `Its currency EUR is not USD, that of the strategy ${strategy.strategyCode}.`;
    expect(await apply(id)).toEqual({ outcome: 'WAITING', reason });
    expect(await row(id)).toMatchObject({ status: 'WAITING', error: reason, waitsFor: null });
    expect(await participationOf(user.id)).toEqual([]);
  });

  test('two at once with one externalId make one participation', async () => {
    const { created, store, apply, user } = await begin();
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => store({ type: 'investment.created', data: created })),
    );
    const outcomes = await Promise.all(ids.map(apply));
    expect(outcomes.filter(({ outcome }) => outcome === 'APPLIED')).toHaveLength(1);
    expect(await participationOf(user.id)).toHaveLength(1);
  });
});

describe('profit.distributed', () => {
  test('of an investment that was paid out here goes to the wallet at once; a loss needs a person', async () => {
    const { user, strategy, externalId, report } = await begin();
    await make.participation(own.db, {
      ...{ userId: user.id, strategyId: strategy.id, externalId },
      ...{ status: 'MATURED', at: new Date('2026-01-01T00:00:00Z') },
    });
    const of = { investmentExternalId: externalId };
    const before = await wallet(user.id);
    const profit = { ...of, externalId: v7(), amount: 7.5, period: '2026-Q1' };
    expect(await report({ type: 'profit.distributed', data: profit })).toMatchObject({ outcome: 'APPLIED' });
    expect((await wallet(user.id)) - before).toBe(7_50);
    expect(
      await report({ type: 'profit.distributed', data: { ...of, externalId: v7(), amount: -1 } }),
    ).toEqual({
      outcome: 'DEAD',
      reason: `It is a loss of 1.00 USD of the investment ${externalId}, which was paid out already.`,
    });
    expect((await standing(own.db, externalId)).transactions).toContainEqual(
      expect.objectContaining({ type: 'PROFIT', amountMinor: 7_50, period: '2026-Q1' }),
    );
  });

  test('an externalId that comes again: the same is a repeat, another amount or investment is DEAD', async () => {
    const { report, of } = await running();
    const other = await running();
    const profit = { ...of, externalId: v7(), amount: 10 };
    const send = (data: Record<string, unknown>) => report({ type: 'profit.distributed', data });
    expect(await send(profit)).toMatchObject({ outcome: 'APPLIED' });
    expect(await send(profit)).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
    expect(await send({ ...profit, amount: 11 })).toEqual({
      outcome: 'DEAD',
      reason: `Its externalId ${profit.externalId} was already reported with another amount: 10.00 USD, and now 11.00 USD.`,
    });
    expect(await other.report({ type: 'profit.distributed', data: profit })).toMatchObject({
      outcome: 'WAITING',
    });
  });

  test('100 at once add up', async () => {
    const { store, apply, of, externalId } = await running();
    const ids = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        store({
          ...{ type: 'profit.distributed', timestamp: `2026-07-${10 + (n % 10)}T00:00:00Z` },
          data: { ...of, externalId: v7(), amount: n + 1 },
        }),
      ),
    );
    await Promise.all(ids.map(apply));
    expect(await standing(own.db, externalId)).toMatchObject({ participation: { earnedMinor: 5_050_00 } });
  });
});

describe('investment.updated', () => {
  test('a status that means the end makes it mature now; one that is not known changes nothing', async () => {
    const { report, of, externalId } = await running();
    const update = (data: Record<string, unknown>, timestamp: string) =>
      report({ type: 'investment.updated', data: { ...of, ...data }, timestamp });
    expect(await update({ status: 'DREAMING' }, '2026-07-01T00:00:00Z')).toMatchObject({
      outcome: 'WITHOUT_EFFECT',
    });
    expect(await update({ status: 'MATURED' }, '2026-07-02T00:00:00Z')).toMatchObject({
      outcome: 'APPLIED',
      participation: { exists: true },
    });
    expect(await standing(own.db, externalId)).toMatchObject({
      participation: { status: 'ACTIVE', maturesAt: new Date('2026-07-02T00:00:00Z') },
    });
  });

  test('CANCELLED while it runs is DEAD, for a person', async () => {
    const { report, of, externalId } = await running();
    expect(await report({ type: 'investment.updated', data: { ...of, status: 'CANCELLED' } })).toEqual({
      outcome: 'DEAD',
      reason: `Its provider cancels the investment ${externalId}, which runs, and says of no money that it pays out.`,
    });
  });
});

describe('investment.withdrawn', () => {
  test('confirms our own payout: no money again; a second one is DEAD', async () => {
    const { user, strategy, externalId, report } = await begin();
    await make.participation(own.db, {
      ...{ userId: user.id, strategyId: strategy.id, externalId, status: 'WITHDRAWN' },
    });
    const before = await standing(own.db, externalId);
    const payout = { externalId: v7(), investmentExternalId: externalId, amount: 1_010 };
    const send = (data: Record<string, unknown>) => report({ type: 'investment.withdrawn', data });
    expect(await send(payout)).toMatchObject({ outcome: 'APPLIED' });
    expect(await send(payout)).toMatchObject({ outcome: 'WITHOUT_EFFECT' });
    const after = await standing(own.db, externalId);
    expect({ ...after, transactions: [] }).toEqual({ ...before, transactions: [] });
    expect(after.transactions).toContainEqual(
      expect.objectContaining({ type: 'WITHDRAWAL', externalId: payout.externalId }),
    );
    expect(await send({ ...payout, externalId: v7() })).toMatchObject({ outcome: 'DEAD' });
    expect(await send({ ...payout, externalId: v7(), status: 'PARTIAL' })).toMatchObject({ outcome: 'DEAD' });
  });

  test('of more than is left of a running one ends it, whatever its status says', async () => {
    const { report, of, externalId } = await running();
    const paid = { ...of, externalId: v7(), amount: 1_000.01, status: 'ACTIVE' };
    expect(await report({ type: 'investment.withdrawn', data: paid })).toMatchObject({ outcome: 'APPLIED' });
    expect(await standing(own.db, externalId)).toMatchObject({
      participation: { status: 'WITHDRAWN', reservedMinor: 0 },
      transactions: [{ type: 'DEPOSIT' }, { type: 'WITHDRAWAL', amountMinor: 1_000_01 }],
    });
  });

  test('of nothing: all was lost', async () => {
    const { report, of, externalId } = await running();
    await report({ type: 'profit.distributed', data: { ...of, externalId: v7(), amount: -1_000 } });
    expect(
      await report({ type: 'investment.withdrawn', data: { ...of, externalId: v7(), amount: 0 } }),
    ).toMatchObject({ outcome: 'APPLIED' });
    expect(await standing(own.db, externalId)).toMatchObject({
      participation: { status: 'WITHDRAWN', reservedMinor: 0 },
      balances: [],
    });
  });
});

const wallet = async (userId: string): Promise<number> =>
  (
    await firstRow<{ minor: number }>(
      own.db,
      `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM ledger_entries
       WHERE user_id = $1 AND account = 'wallet'`,
      [userId],
    )
  )?.minor ?? 0;
