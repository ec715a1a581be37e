import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { refusalOf } from '../products/product-requests';
import { auditsOf, keptStrategy, strategyRequest } from './strategy-requests';
import { emptyProviders } from '../../../support/builders/investing/no-providers';

let at: AdminWorld;
let categoryId: string;
beforeAll(async () => {
  at = await startAdminWorld({ worker: false });
  categoryId = (await make.strategyCategory(at.world.db)).id;
});
afterAll(() => at.world.teardown());
beforeEach(async () => {
  await emptyProviders(at.world.owner);
  await make.provider(at.world.db, { code: 'alpha' });
});

const create = (fields: Record<string, unknown> = {}) =>
  at.ask('post', '/admin/strategies', strategyRequest(categoryId, fields), at.tokens.superAdmin);

describe('POST /admin/strategies', () => {
  test('201: it is for everyone to see, of the internal provider and with its slug as its code', async () => {
    const answer = await create({
      name: 'Größe des Hafens',
      historicalReturns: [{ period: '2026-10', return: 7.55 }],
    });
    const { id } = answer.body.data;
    expect([answer.status, answer.body.data]).toEqual([
      201,
      {
        ...{ id: expect.any(String), name: 'Größe des Hafens', slug: expect.any(String), status: 'ACTIVE' },
        ...{ createdAt: expect.any(String), createdBy: at.superAdmin.id },
      },
    ]);
    // They are computed from distributed profits; nobody enters them.
    expect(answer.body.meta).toMatchObject({ ignored: ['historicalReturns'] });
    const { slug } = answer.body.data;
    expect(await keptStrategy(at.world.db, id)).toMatchObject({
      ...{ providerCode: 'internal', strategyCode: slug, slug, currency: 'USD', reservedMinor: 0 },
      ...{ returnMinBp: 600, returnMaxBp: 1_025, returnExpectedBp: 850, lockDays: 14 },
      ...{ minMinor: 100_00, maxMinor: 50_000_00, totalCapacityMinor: 1_000_000_00 },
      ...{ earlyWithdrawalPenaltyBp: 1_250, commissionBp: 500, careerPointsBp: 10_000 },
    });
    const shown = await at.ask('get', `/investment/strategies/${slug}`, undefined, null);
    expect(shown.body.data).toMatchObject({
      id,
      returnRate: { min: 6, max: 10.25, expected: 8.5, type: 'FIXED', payoutFrequency: 'MONTHLY' },
      performance: { historicalReturns: [], averageReturn: 0 },
    });
    expect(await auditsOf(at.world.db, id)).toMatchObject([
      {
        ...{ actorId: at.superAdmin.id, action: 'strategy.create', previous: null },
        next: { name: 'Größe des Hafens', slug, providerCode: 'internal' },
      },
    ]);
  });

  test('the slug comes from the name, is unique, and is no other path', async () => {
    const slugs: string[] = [];
    for (const name of ['North  Sea!', 'North Sea', 'Categories', '🚢'])
      slugs.push((await create({ name })).body.data.slug);
    expect(slugs).toEqual(['north-sea', 'north-sea-2', 'categories-strategy', 'strategy']);
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'North Sea' })));
    expect(atOnce.map(outcomeOf)).toEqual(Array.from({ length: 8 }, () => '201'));
    expect(new Set(atOnce.map(({ body }) => body.data.slug)).size).toBe(8);
  });

  test('the same request under one Idempotency-Key makes one strategy', async () => {
    const body = strategyRequest(categoryId);
    const send = () =>
      at.world.http
        .post('/api/v1/admin/strategies')
        .auth(at.tokens.superAdmin, { type: 'bearer' })
        .set('Idempotency-Key', 'harbours-1')
        .send(body);
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
    expect(await auditsOf(at.world.db, first.body.data.id)).toHaveLength(1);
  });

  test('with a provider and a code of its own', async () => {
    await make.provider(at.world.db, { code: 'beta' });
    const { id } = (await create({ providerCode: 'beta', strategyCode: 'HARBOUR-1' })).body.data;
    expect(await keptStrategy(at.world.db, id)).toMatchObject({
      providerCode: 'beta',
      strategyCode: 'HARBOUR-1',
    });
    const again = await create({ providerCode: 'beta', strategyCode: 'HARBOUR-1' });
    expect(again.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      reason: 'STRATEGY_CODE_TAKEN',
      details: { strategyCode: [expect.any(String)] },
    });
    expect((await create({ providerCode: 'alpha', strategyCode: 'HARBOUR-1' })).status).toBe(201);
  });

  test('without a provider it is of the internal one, also the first of eight at once; that takes no sign-ins', async () => {
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => create()));
    expect(atOnce.map(outcomeOf)).toEqual(Array.from({ length: 8 }, () => '201'));
    const { id } = atOnce[0]!.body.data as { id: string };
    expect(await keptStrategy(at.world.db, id)).toMatchObject({ providerCode: 'internal' });
    const provider = await at.ask('get', '/admin/providers/internal');
    expect(provider.body.data).toMatchObject({
      ...{ code: 'internal', apiBase: null, ssoAudience: null, isActive: true, secrets: [] },
    });
    const signIn = await at.ask('post', `/investment/strategies/${id}/sso-redirect`);
    expect(outcomeOf(signIn)).toBe('503 PROVIDER_NOT_CONFIGURED');
    await execute(at.world.db, `UPDATE investment_providers SET is_active = false WHERE code = 'internal'`);
    expect(outcomeOf(await create())).toBe('404 PROVIDER_NOT_FOUND');
  });

  test('404 PROVIDER_NOT_FOUND: one that is unknown or not active', async () => {
    await make.provider(at.world.db, { code: 'beta', isActive: false });
    for (const providerCode of ['beta', 'gamma', 'ALPHA', ''])
      expect(outcomeOf(await create({ providerCode }))).toBe('404 PROVIDER_NOT_FOUND');
  });

  test('404 CATEGORY_NOT_FOUND', async () => {
    expect(outcomeOf(await create({ categoryId: v7() }))).toBe('404 CATEGORY_NOT_FOUND');
  });

  test('403 FORBIDDEN for an administrator, 401 for nobody', async () => {
    const body = strategyRequest(categoryId);
    expect(outcomeOf(await at.ask('post', '/admin/strategies', body))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await at.ask('post', '/admin/strategies', body, null))).toBe('401 UNAUTHORIZED');
  });

  const { returnRate, duration, investment, terms } = strategyRequest('');
  test.each([
    ['returnRate.expected', { returnRate: { ...returnRate, expected: 5.99 } }],
    ['returnRate.expected', { returnRate: { ...returnRate, expected: 10.26 } }],
    ['returnRate.max', { returnRate: { ...returnRate, max: 5 } }],
    ['returnRate.min', { returnRate: { ...returnRate, min: -100.01 } }],
    ['returnRate.min', { returnRate: { ...returnRate, min: 1.001 } }],
    ['returnRate.type', { returnRate: { ...returnRate, type: 'SOME' } }],
    ['duration.maxDays', { duration: { ...duration, maxDays: 29 } }],
    ['duration.maxDays', { duration: { ...duration, maxDays: 36_501 } }],
    ['duration.minDays', { duration: { ...duration, minDays: 0 } }],
    ['duration.lockPeriodDays', { duration: { ...duration, lockPeriodDays: 1.5 } }],
    ['investment.maxAmount', { investment: { ...investment, maxAmount: 99.99 } }],
    ['investment.minAmount', { investment: { ...investment, minAmount: 0 } }],
    ['investment.currency', { investment: { ...investment, currency: 'EUR' } }],
    ['investment.totalCapacity', { investment: { ...investment, totalCapacity: 0.001 } }],
    ['terms.earlyWithdrawalPenalty', { terms: { ...terms, earlyWithdrawalPenalty: 100.01 } }],
    ['commissionPercentage', { commissionPercentage: 101 }],
    ['careerPointsPercentage', { careerPointsPercentage: 10_001 }],
    ['strategyCode', { strategyCode: 'a b' }],
    ['riskDisclosure', { riskDisclosure: ' ' }],
    ['status', { status: 'DRAFT' }],
    ['name', { name: undefined }],
    ['terms', { terms: undefined }],
  ])('400 VALIDATION_ERROR: %s', async (field, fields) => {
    expect(refusalOf(await create(fields))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [field],
    });
  });
});
