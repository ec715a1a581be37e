import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { simpleInterestMinor } from '../../../../workflows/investment/participation/participation.rules';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { emptyProviders } from '../../../support/builders/investing/no-providers';

let at: AdminWorld;
beforeAll(async () => {
  at = await startAdminWorld({ worker: false });
});
afterAll(() => at.world.teardown());
beforeEach(async () => {
  await emptyProviders(at.world.owner, 'investment_categories');
});

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000 - 60_000);

/** A strategy with a participation that waits, and two that run: one has earned more than expected, one less. */
async function busyStrategy() {
  const { db } = at.world;
  const strategy = await make.strategy(db, {
    name: 'Busy',
    returnBp: { min: 600, max: 1_000, expected: 730 },
    totalCapacityMinor: 10_000_00,
    createdAt: new Date('2026-01-02T00:00:00Z'),
  });
  await make.strategyDocument(db, strategy.id, { name: 'Terms', type: 'TERMS' });
  const running = { strategyId: strategy.id, status: 'ACTIVE', durationDays: 90 } as const;
  const earning = async (amountMinor: number, days: number, earnedMinor: number) => {
    const { id } = await make.participation(db, { ...running, amountMinor, at: daysAgo(days) });
    await execute(db, 'UPDATE participations SET earned_minor = $2 WHERE id = $1', [id, earnedMinor]);
  };
  await earning(1_234_56, 40, 3_00);
  await earning(500_00, 10, 50_00);
  await earning(2_000_00, 400, -1_00);
  await make.participation(db, { strategyId: strategy.id, amountMinor: 100_00 });
  return {
    strategy,
    figures: {
      capacity: { total: 10_000, used: 3_834.56, available: 6_165.44 },
      participants: { total: 3, active: 3 },
      financials: {
        totalInvested: 3_734.56,
        totalReturnsDistributed: 52,
        // The third has run longer than it lasts, and its loss is still to come in.
        pendingReturns:
          (simpleInterestMinor(1_234_56, 730, 40) - 3_00 + simpleInterestMinor(2_000_00, 730, 90) + 1_00) /
          100,
      },
    },
  };
}

describe('GET /admin/strategies', () => {
  test('200: every field, with what came in and what is owed', async () => {
    const { strategy, figures } = await busyStrategy();
    const { status, body } = await at.ask('get', '/admin/strategies');
    expect([status, body.data.strategies]).toEqual([
      200,
      [
        {
          ...{ id: strategy.id, name: 'Busy', status: 'ACTIVE', riskLevel: 'MEDIUM' },
          returnRate: { min: 6, max: 10, expected: 7.3 },
          ...figures,
          createdAt: '2026-01-02T00:00:00.000Z',
          updatedAt: '2026-01-02T00:00:00.000Z',
        },
      ],
    ]);
  });

  test('by status and category, newest first, in pages', async () => {
    const { db } = at.world;
    const { id: categoryId } = await make.strategyCategory(db);
    for (const [n, status] of (['ACTIVE', 'PAUSED', 'CLOSED'] as const).entries())
      await make.strategy(db, {
        ...{ name: status, status, createdAt: daysAgo(9 - n) },
        ...(n > 0 && { categoryId }),
      });
    const names = async (query: string) => {
      const { body } = await at.ask('get', `/admin/strategies?${query}`);
      return [body.meta.pagination.total, ...body.data.strategies.map((one: { name: string }) => one.name)];
    };
    expect(await names('')).toEqual([3, 'CLOSED', 'PAUSED', 'ACTIVE']);
    expect(await names('status=ALL&pageSize=2&page=2')).toEqual([3, 'ACTIVE']);
    expect(await names('status=PAUSED')).toEqual([1, 'PAUSED']);
    expect(await names(`categoryId=${categoryId}`)).toEqual([2, 'CLOSED', 'PAUSED']);
    expect(await names(`categoryId=${categoryId}&status=ACTIVE`)).toEqual([0]);
    expect(await names(`categoryId=${v7()}`)).toEqual([0]);
  });

  test.each(['pageSize=51', 'status=OPEN', 'categoryId=x'])('400 VALIDATION_ERROR: %s', async (query) => {
    expect(outcomeOf(await at.ask('get', `/admin/strategies?${query}`))).toBe('400 VALIDATION_ERROR');
  });
});

describe('GET /admin/strategies/:id', () => {
  test('200: every field of a visitor’s page, and what administrators need', async () => {
    const { strategy, figures } = await busyStrategy();
    const shown = await at.ask('get', `/investment/strategies/${strategy.id}`);
    for (const id of [strategy.id, strategy.slug]) {
      const { status, body } = await at.ask('get', `/admin/strategies/${id}`);
      expect([status, body.data]).toEqual([
        200,
        {
          ...shown.body.data,
          ...figures,
          ...{ providerCode: strategy.providerCode, strategyCode: strategy.strategyCode },
          documents: [{ id: expect.any(String), ...shown.body.data.documents[0] }],
        },
      ]);
    }
  });

  test('404 STRATEGY_NOT_FOUND', async () => {
    for (const id of [v7(), 'nothing-has-this'])
      expect(outcomeOf(await at.ask('get', `/admin/strategies/${id}`))).toBe('404 STRATEGY_NOT_FOUND');
  });
});
