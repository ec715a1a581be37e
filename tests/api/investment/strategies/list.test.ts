import { v7 } from 'uuid';
import { make } from '../../../support/builders/make';
import { ownStrategyWindow } from '../strategy-window';
import { emptyProviders } from '../../../support/builders/investing/no-providers';

const shop = ownStrategyWindow();
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

beforeEach(async () => {
  await emptyProviders(shop.owner, 'investment_categories');
});

describe('GET /investment/strategies', () => {
  test('200: every field of a strategy', async () => {
    const category = await make.strategyCategory(shop.db, { name: 'Harbours' });
    const strategy = await make.strategy(shop.db, {
      name: 'North Sea',
      categoryId: category.id,
      shortDescription: 'Loans to harbours.',
      returnBp: { min: -250, max: 1_075, expected: 812 },
      days: { min: 30, max: 730 },
      minMinor: 100_50,
      maxMinor: null,
      riskLevel: 'HIGH',
      commissionBp: 525,
      careerPointsBp: 10_000,
      imageUrl: 'https://images.example.com/harbour.webp',
      createdAt: day(2),
    });
    const owner = await make.user(shop.db);
    const once = { strategyId: strategy.id, userId: owner.id, status: 'ACTIVE' } as const;
    await make.participation(shop.db, { ...once, amountMinor: 250_25 });
    await make.participation(shop.db, { ...once, amountMinor: 100_00 });
    await make.participation(shop.db, { strategyId: strategy.id });

    const { status, body } = await shop.get('/strategies');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      strategies: [
        {
          id: strategy.id,
          name: 'North Sea',
          slug: strategy.slug,
          shortDescription: 'Loans to harbours.',
          category: { id: category.id, name: 'Harbours' },
          returnRate: { min: -2.5, max: 10.75, expected: 8.12 },
          duration: { minDays: 30, maxDays: 730 },
          investment: { minAmount: 100.5, maxAmount: null, currency: 'USD' },
          riskLevel: 'HIGH',
          status: 'ACTIVE',
          popularity: { totalParticipants: 1, totalInvested: 350.25 },
          commissionPercentage: 5.25,
          careerPointsPercentage: 100,
          imageUrl: 'https://images.example.com/harbour.webp',
          createdAt: '2026-01-02T00:00:00.000Z',
        },
      ],
    });
    expect(body.meta.pagination).toMatchObject({ page: 1, pageSize: 20, total: 1, totalPages: 1 });
  });

  test('of every status, newest first, the same with a token', async () => {
    for (const [n, status] of (['ACTIVE', 'PAUSED', 'CLOSED'] as const).entries())
      await make.strategy(shop.db, { name: status, status, createdAt: day(n + 1) });
    expect(await shop.names()).toEqual(['CLOSED', 'PAUSED', 'ACTIVE']);
    for (const status of ['ACTIVE', 'PAUSED', 'CLOSED'])
      expect(await shop.names({ status })).toEqual([status]);
    const [anonymous, signedIn] = [await shop.get('/strategies'), await shop.get('/strategies', {}, v7())];
    expect(signedIn.body.data).toEqual(anonymous.body.data);
  });

  test('pages do not overlap, also among strategies of the same moment', async () => {
    const providerCode = (await make.provider(shop.db)).code;
    for (let n = 0; n < 5; n++) await make.strategy(shop.db, { providerCode, createdAt: day(1) });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => shop.names({ page, pageSize: 2 })));
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flat()).size).toBe(5);
    const { body, headers } = await shop.get('/strategies', { page: 4, pageSize: 2 });
    expect(body.meta.pagination).toMatchObject({ total: 5, totalPages: 3, hasNext: false });
    expect(headers['link']).toContain('rel="last"');
  });

  test('by category, and by the expected rate', async () => {
    const { id: categoryId } = await make.strategyCategory(shop.db);
    await make.strategy(shop.db, { name: 'loss', returnBp: { min: -300, max: 100, expected: -50 } });
    await make.strategy(shop.db, {
      ...{ name: 'low', categoryId },
      returnBp: { min: 100, max: 900, expected: 499 },
    });
    await make.strategy(shop.db, { name: 'high', returnBp: { min: 400, max: 900, expected: 500 } });
    expect(await shop.names({ categoryId })).toEqual(['low']);
    expect(await shop.names({ categoryId: v7() })).toEqual([]);
    expect(await shop.names({ minReturn: '5' })).toEqual(['high']);
    expect(await shop.names({ minReturn: '4.99' })).toEqual(['high', 'low']);
    expect(await shop.names({ minReturn: '-0.5' })).toEqual(['high', 'low', 'loss']);
  });

  test('by amounts: those in which some amount of the range fits', async () => {
    const of = (name: string, minMinor: number, maxMinor: number | null) =>
      make.strategy(shop.db, { name, minMinor, maxMinor });
    await of('small', 10_00, 100_00);
    await of('large', 1_000_00, null);
    const names = async (query: Record<string, string>) => (await shop.names(query)).sort();
    expect(await names({ minAmount: '100' })).toEqual(['large', 'small']);
    expect(await names({ minAmount: '100.01' })).toEqual(['large']);
    expect(await names({ maxAmount: '999.99' })).toEqual(['small']);
    expect(await names({ maxAmount: '1000' })).toEqual(['large', 'small']);
    expect(await names({ maxAmount: '9.99' })).toEqual([]);
    expect(await names({ minAmount: '200', maxAmount: '500' })).toEqual([]);
    expect(await names({ minAmount: '500', maxAmount: '50' })).toEqual([]);
    expect(await names({ minAmount: '50', maxAmount: '50' })).toEqual(['small']);
  });

  test('sorted each way; without a direction the shortest, and the highest of all others, come first', async () => {
    const of = async (name: string, n: number, days: { min: number; max: number }, investedMinor: number) => {
      const { id } = await make.strategy(shop.db, {
        ...{ name, days, createdAt: day(n) },
        returnBp: { min: 0, max: 900, expected: n * 100 },
      });
      await make.participation(shop.db, {
        strategyId: id,
        status: 'ACTIVE',
        amountMinor: investedMinor,
      });
    };
    await of('a', 1, { min: 30, max: 90 }, 3_00);
    await of('b', 2, { min: 30, max: 60 }, 1_00);
    await of('c', 3, { min: 10, max: 900 }, 2_00);
    const orders = {
      returnRate: ['c', 'b', 'a'],
      duration: ['c', 'b', 'a'],
      popularity: ['a', 'c', 'b'],
      createdAt: ['c', 'b', 'a'],
    };
    for (const [sortBy, names] of Object.entries(orders)) {
      expect(await shop.names({ sortBy })).toEqual(names);
      const [same, other] = sortBy === 'duration' ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const);
      expect(await shop.names({ sortBy, sortOrder: same })).toEqual(names);
      expect(await shop.names({ sortBy, sortOrder: other })).toEqual([...names].reverse());
    }
  });

  test.each([
    [{ pageSize: 51 }, 'pageSize'],
    [{ page: 0 }, 'page'],
    [{ status: 'ALL' }, 'status'],
    [{ categoryId: 'x' }, 'categoryId'],
    [{ minAmount: '-1' }, 'minAmount'],
    [{ maxAmount: '1.005' }, 'maxAmount'],
    [{ minReturn: '5%' }, 'minReturn'],
    [{ minReturn: '20000' }, 'minReturn'],
    [{ sortBy: 'name' }, 'sortBy'],
    [{ sortOrder: 'up' }, 'sortOrder'],
  ])('400 VALIDATION_ERROR: %p', async (query, field) => {
    const { status, body } = await shop.get('/strategies', query);
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      [field],
    ]);
  });
});
