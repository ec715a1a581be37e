import { randomUUID } from 'node:crypto';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

let strategyId: string;
const world = ownCheckedWorld();
beforeAll(async () => {
  strategyId = (await make.strategy(world.db, { name: 'Harbour', slug: 'harbour', lockDays: 30 })).id;
});

const person = async () => {
  const { id: userId } = await make.user(world.db, { kycLevel: 'STANDARD' });
  const token = await signIn(world, { id: userId });
  const get = (path: string) => world.http.get(`/api/v1/investment${path}`).auth(token, { type: 'bearer' });
  return { userId, get };
};

describe('GET /investment/participations', () => {
  it('answers every field, and the figures of all that fit', async () => {
    const { userId, get } = await person();
    const [at, older] = [ago(73), ago(400)];
    const of = { userId, strategyId, amountMinor: 1_000_00 };
    const profits = [{ amountMinor: 5_00, at: ago(40) }];
    const running = await make.participation(world.db, {
      ...{ ...of, status: 'ACTIVE', at, durationDays: 365, profits, autoReinvest: true },
    });
    await make.participation(world.db, {
      ...{ ...of, status: 'MATURED', at: older, profits: [{ amountMinor: 20_00, at: ago(390) }] },
    });
    await make.participation(world.db, { ...of, status: 'CANCELLED', at: ago(500) });
    const { status, body } = await get('/participations');
    expect(status).toBe(200);
    expect(body.data.participations[0]).toEqual({
      ...{ id: running.id, amount: 1_000, currency: 'USD', status: 'ACTIVE', createdAt: at.toISOString() },
      strategy: { id: strategyId, name: 'Harbour', slug: 'harbour', riskLevel: 'MEDIUM' },
      // 8 % of 1,000 for 73 of 365 days is 16, of which 5 are distributed.
      returns: { earned: 5, pending: 11, projected: 80 },
      dates: {
        startDate: at.toISOString(),
        maturityDate: new Date(at.getTime() + 365 * DAY_MS).toISOString(),
        withdrawnAt: null,
      },
      options: { compounding: false, autoReinvest: true },
    });
    const statuses = body.data.participations.map((one: { status: string }) => one.status);
    expect(statuses).toEqual(['ACTIVE', 'MATURED', 'CANCELLED']);
    expect(body.data.summary).toEqual({
      ...{ totalInvested: 2_000, activeInvestments: 1, totalReturns: 25, pendingReturns: 11 },
    });
    expect(body.meta.pagination).toMatchObject({ total: 3 });
  });

  it('filters by status and strategy, and pages', async () => {
    const { userId, get } = await person();
    const { id: other } = await make.strategy(world.db);
    for (const [days, of] of [strategyId, strategyId, other].entries())
      await make.participation(world.db, { userId, strategyId: of, status: 'ACTIVE', at: ago(days) });
    await make.participation(world.db, { userId, strategyId, status: 'CANCELLED' });
    const count = async (query: string) => {
      const { participations, summary } = (await get(`/participations?${query}`)).body.data;
      return [participations.length, summary.totalInvested];
    };
    expect(await count('status=ALL')).toEqual([4, 3_000]);
    expect(await count('status=ACTIVE')).toEqual([3, 3_000]);
    expect(await count(`status=ACTIVE&strategyId=${other}`)).toEqual([1, 1_000]);
    expect(await count('status=WITHDRAWN')).toEqual([0, 0]);
    expect(await count('pageSize=3&page=2')).toEqual([1, 3_000]);
  });

  it('refuses other values', async () => {
    const { get } = await person();
    for (const query of ['status=OPEN', 'strategyId=4', 'pageSize=51', 'page=0']) {
      const { status, body } = await get(`/participations?${query}`);
      expect([query, status, body.error.code]).toEqual([query, 400, 'VALIDATION_ERROR']);
    }
    expect((await world.http.get('/api/v1/investment/participations')).body.error.code).toBe('UNAUTHORIZED');
  });

  it('counts principal once that moved into the next participation, unless that one is alone in the filter', async () => {
    const { userId, get } = await person();
    const of = { userId, strategyId };
    const at = ago(100);
    const before = await make.participation(world.db, { ...of, status: 'MATURED', at });
    const renewed = { reinvestedFromId: before.id, at: new Date(at.getTime() + 90 * DAY_MS) };
    await make.participation(world.db, { ...of, ...renewed, status: 'ACTIVE' });
    const invested = async (query: string) =>
      (await get(`/participations?${query}`)).body.data.summary.totalInvested as number;
    expect(await invested('')).toBe(1_000);
    expect(await invested('status=ACTIVE')).toBe(1_000);
    expect((await get('/portfolio')).body.data.summary).toMatchObject({
      totalInvested: 1_000,
      currentValue: 1_000,
    });
  });
});

describe('GET /investment/participations/:id', () => {
  it('answers every field of one that runs, with the terms in force for it', async () => {
    const { userId, get } = await person();
    const { id: strategyId } = await make.strategy(world.db, { lockDays: 90, earlyWithdrawalPenaltyBp: 500 });
    const at = ago(73);
    const { id } = await make.participation(world.db, {
      ...{ userId, strategyId, at, status: 'ACTIVE', durationDays: 365 },
      ...{
        profits: [
          { amountMinor: 30_00, at: ago(50) },
          { amountMinor: -10_00, at: ago(20) },
        ],
      },
    });
    await execute(
      world.db,
      'UPDATE investment_strategies SET return_expected_bp = 900, lock_days = 0 WHERE id = $1',
      [strategyId],
    );
    const { status, body } = await get(`/participations/${id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      strategy: { id: strategyId, returnRate: { min: 6, max: 10, expected: 8 } },
      investment: { amount: 1_000, currency: 'USD', currentValue: 1_020 },
      returns: { earned: 20, pending: 0, projected: 80, rate: 8 },
      dates: {
        createdAt: at.toISOString(),
        paymentReceivedAt: at.toISOString(),
        startDate: at.toISOString(),
      },
      withdrawal: {
        ...{ canWithdraw: true, penaltyPercentage: 5, estimatedAmount: 970 },
        lockPeriodEndsAt: new Date(at.getTime() + 90 * DAY_MS).toISOString(),
      },
      payment: { method: 'BALANCE', transactionId: null, status: 'PAID' },
    });
    const shown = body.data.transactions.map(({ type, amount, status: state }: Record<string, unknown>) => [
      type,
      amount,
      state,
    ]);
    expect(shown).toEqual([
      ['RETURN', -10, 'COMPLETED'],
      ['RETURN', 30, 'COMPLETED'],
      ['INVESTMENT', 1_000, 'COMPLETED'],
    ]);
  });

  it.each([
    ['reported after the last profit', [{ amountMinor: 1_111_00, at: ago(5) }], 1_111],
    ['reported before it', [{ amountMinor: 1_111_00, at: ago(40) }], 1_030],
    ['that are all zero', [{ amountMinor: 0, at: ago(5) }], 0],
  ])('takes the value that its provider has %s', async (_, values, currentValue) => {
    const { userId, get } = await person();
    const { id } = await make.participation(world.db, {
      ...{ userId, strategyId, at: ago(73), status: 'ACTIVE', values },
      profits: [{ amountMinor: 30_00, at: ago(20) }],
    });
    expect((await get(`/participations/${id}`)).body.data.investment.currentValue).toBe(currentValue);
  });

  it('shows a withdrawn one without value, and its payout on its way until it has arrived', async () => {
    const { userId, get } = await person();
    const made = await make.participation(world.db, {
      ...{ userId, strategyId, at: ago(10), status: 'WITHDRAWN', penaltyMinor: 50_00, endedAt: ago(1) },
    });
    const detail = async () => (await get(`/participations/${made.id}`)).body.data;
    const first = await detail();
    expect(first).toMatchObject({
      investment: { currentValue: 0 },
      dates: { withdrawnAt: expect.any(String) as string },
      withdrawal: { canWithdraw: false, penaltyPercentage: null, estimatedAmount: 0 },
    });
    const states = ({ transactions }: { transactions: { type: string; amount: number; status: string }[] }) =>
      Object.fromEntries(transactions.map(({ type, amount, status }) => [type, [amount, status]]));
    expect(states(first)).toMatchObject({ WITHDRAWAL: [950, 'COMPLETED'], PENALTY: [50, 'COMPLETED'] });
    await execute(
      world.db,
      `UPDATE investment_withdrawals SET status = 'PROCESSING', ended_at = NULL, method = 'BANK_TRANSFER', provider = 'sandbox', details = 'x' WHERE id = $1`,
      [made.withdrawalId],
    );
    expect(states(await detail())).toMatchObject({
      WITHDRAWAL: [950, 'PROCESSING'],
      PENALTY: [50, 'COMPLETED'],
    });
    await execute(
      world.db,
      `UPDATE investment_withdrawals SET status = 'COMPLETED', ended_at = now(), method = 'BALANCE', provider = NULL, details = NULL WHERE id = $1`,
      [made.withdrawalId],
    );
  });

  it('has no payment where it was made at its provider', async () => {
    const { userId, get } = await person();
    const { id } = await make.participation(world.db, {
      userId,
      strategyId,
      status: 'ACTIVE',
      origin: 'PROVIDER',
    });
    expect((await get(`/participations/${id}`)).body.data.payment).toBeNull();
  });

  it("refuses another person's and an unknown one alike", async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await make.participation(world.db, { userId: owner.userId, strategyId });
    expect((await owner.get(`/participations/${id}`)).body.data).toMatchObject({
      ...{ status: 'PENDING_PAYMENT', payment: { method: 'CARD', transactionId: null, status: 'PENDING' } },
    });
    for (const unknown of [id, randomUUID()]) {
      const { status, body } = await other.get(`/participations/${unknown}`);
      expect([status, body.error]).toEqual([
        404,
        { code: 'PARTICIPATION_NOT_FOUND', message: 'No such participation.' },
      ]);
    }
    expect((await other.get('/participations/INV-1')).body.error.code).toBe('VALIDATION_ERROR');
  });
});
