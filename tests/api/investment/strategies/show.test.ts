import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownStrategyWindow } from '../strategy-window';

const shop = ownStrategyWindow();

describe('GET /investment/strategies/:id', () => {
  test('200: every field, by id and by slug, the same with a token', async () => {
    const category = await make.strategyCategory(shop.db, { name: 'Harbours', description: 'Of the sea.' });
    const strategy = await make.strategy(shop.db, {
      name: 'North Sea',
      slug: 'north-sea',
      categoryId: category.id,
      description: 'Lends to harbours.',
      shortDescription: 'Loans.',
      returnBp: { min: 600, max: 1_000, expected: 800 },
      returnType: 'VARIABLE',
      payoutFrequency: 'END_OF_TERM',
      days: { min: 30, max: 365 },
      lockDays: 14,
      minMinor: 100_00,
      maxMinor: 5_000_00,
      totalCapacityMinor: 20_000_00,
      riskLevel: 'MEDIUM',
      earlyWithdrawalPenaltyBp: 1_250,
      automaticReinvestment: false,
      historicalReturns: [
        { period: '2026-08', return: 0.75 },
        { period: '2026-09', return: -0.12 },
        { period: '2026-10', return: 0.33 },
      ],
      createdAt: new Date('2026-01-02T00:00:00Z'),
    });
    await make.strategyDocument(shop.db, strategy.id, { type: 'TERMS', name: 'Terms', position: 1 });
    const first = await make.strategyDocument(shop.db, strategy.id, { name: 'Prospectus', position: 0 });
    await make.participation(shop.db, { strategyId: strategy.id, amountMinor: 1_000_00, status: 'ACTIVE' });
    await make.participation(shop.db, { strategyId: strategy.id, amountMinor: 500_50 });

    const { status, body } = await shop.get(`/strategies/${strategy.id}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: strategy.id,
      name: 'North Sea',
      slug: 'north-sea',
      description: 'Lends to harbours.',
      shortDescription: 'Loans.',
      category: { id: category.id, name: 'Harbours', description: 'Of the sea.' },
      returnRate: { min: 6, max: 10, expected: 8, type: 'VARIABLE', payoutFrequency: 'END_OF_TERM' },
      duration: { minDays: 30, maxDays: 365, lockPeriodDays: 14 },
      investment: {
        ...{ minAmount: 100, maxAmount: 5_000, currency: 'USD' },
        ...{ availableCapacity: 18_499.5, totalCapacity: 20_000 },
      },
      riskLevel: 'MEDIUM',
      riskDisclosure: 'You may lose what you put in.',
      status: 'ACTIVE',
      terms: {
        ...{ earlyWithdrawalAllowed: true, earlyWithdrawalPenalty: 12.5 },
        ...{ compoundingAvailable: true, automaticReinvestment: false },
      },
      performance: {
        historicalReturns: [
          { period: '2026-08', return: 0.75 },
          { period: '2026-09', return: -0.12 },
          { period: '2026-10', return: 0.33 },
        ],
        averageReturn: 0.32,
      },
      popularity: { totalParticipants: 1, totalInvested: 1_000, activeParticipations: 1 },
      commissionPercentage: 5,
      careerPointsPercentage: 100,
      documents: [
        {
          type: 'PROSPECTUS',
          name: 'Prospectus',
          url: `https://documents.example.com/${first}.pdf`,
        },
        { type: 'TERMS', name: 'Terms', url: expect.stringMatching(/^https:/) },
      ],
      imageUrl: null,
      createdAt: '2026-01-02T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    });
    expect((await shop.get('/strategies/north-sea')).body.data).toEqual(body.data);
    expect((await shop.get('/strategies/north-sea', {}, v7())).body.data).toEqual(body.data);
  });

  test('without capacity, penalty and past returns: null, null and 0', async () => {
    const { id } = await make.strategy(shop.db, { earlyWithdrawalPenaltyBp: null, maxMinor: null });
    const { body } = await shop.get(`/strategies/${id}`);
    expect(body.data).toMatchObject({
      investment: { maxAmount: null, availableCapacity: null, totalCapacity: null },
      terms: { earlyWithdrawalPenalty: null },
      performance: { historicalReturns: [], averageReturn: 0 },
      documents: [],
    });
  });

  test.each(['PAUSED', 'CLOSED'] as const)('a %s strategy is shown', async (status) => {
    const { slug } = await make.strategy(shop.db, { status });
    expect((await shop.get(`/strategies/${slug}`)).body.data.status).toBe(status);
  });

  test('a strategy of a category and a provider that are off is shown', async () => {
    const { id } = await make.strategy(shop.db);
    await execute(shop.db, 'UPDATE investment_categories SET is_active = false');
    await execute(shop.db, 'UPDATE investment_providers SET is_active = false');
    expect((await shop.get(`/strategies/${id}`)).status).toBe(200);
  });

  test.each([
    ['an id', v7()],
    ['a slug', 'nothing-has-this'],
    ['an odd name', '%F0%9F%9A%A2'],
  ])('404 STRATEGY_NOT_FOUND: %s of nothing', async (_what, id) => {
    const { status, body } = await shop.get(`/strategies/${id}`);
    expect([status, body.error.code]).toEqual([404, 'STRATEGY_NOT_FOUND']);
  });
});
