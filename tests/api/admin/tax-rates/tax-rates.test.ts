import { z } from 'zod';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(() => administration.world.teardown());

describe('DELETE /admin/tax-rates/:country', () => {
  const remove = (country: string, token?: string | null) =>
    administration.ask('delete', `/admin/tax-rates/${country}`, undefined, token);

  test('200, once, with its audit record; 404 TAX_RATE_NOT_FOUND where none is set', async () => {
    await make.taxRate(administration.world.db, 'ES', 2_000);
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove('ES')));
    expect(answers.map(outcomeOf).sort()).toEqual([
      '200',
      ...Array<string>(4).fill('404 TAX_RATE_NOT_FOUND'),
    ]);
    expect(answers.find(({ status }) => status === 200)!.body.data).toEqual({
      message: expect.any(String) as string,
      country: 'ES',
    });
    expect((await administration.ask('get', '/admin/tax-rates')).body.data.taxRates).toEqual([]);
    expect(await recordsOf(administration, 'tax-rate', 'ES')).toEqual([
      {
        actorId: administration.admin.id,
        action: 'tax-rate.delete',
        previous: { rateBp: 2_000 },
        next: { rateBp: null },
      },
    ]);
  });

  test('400 VALIDATION_ERROR for what is no country', async () => {
    for (const none of ['fr', 'XX', 'FRA'])
      expect(outcomeOf(await remove(none))).toBe('400 VALIDATION_ERROR');
  });
});

describe('GET /admin/tax-rates', () => {
  beforeAll(async () => {
    for (const [country, rateBp] of [
      ['FR', 2_000],
      ['CH', 810],
      ['DE', 1_900],
    ] as const)
      await make.taxRate(administration.world.db, country, rateBp);
  });

  const RatesShape = z.array(z.strictObject({ country: z.string(), rate: z.number() }));
  const list = (query = '', token?: string | null) =>
    administration.ask('get', `/admin/tax-rates${query}`, undefined, token);

  test('200 with all that are set, by country, in pages', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(RatesShape.parse(body.data.taxRates)).toEqual([
      { country: 'CH', rate: 8.1 },
      { country: 'DE', rate: 19 },
      { country: 'FR', rate: 20 },
    ]);
    expect(body.meta.pagination).toMatchObject({ total: 3, page: 1, pageSize: 20 });
    expect((await list('?pageSize=2&page=2')).body.data.taxRates).toEqual([{ country: 'FR', rate: 20 }]);
  });

  test('400 VALIDATION_ERROR for a page that is too large', async () => {
    expect(outcomeOf(await list('?pageSize=101'))).toBe('400 VALIDATION_ERROR');
  });
});

describe('PUT /admin/tax-rates/:country', () => {
  const set = (country: string, rate: unknown, token?: string | null) =>
    administration.ask('put', `/admin/tax-rates/${country}`, { rate }, token);

  test('200: carts follow at once; setting the same again leaves no trace', async () => {
    const { db } = administration.world;
    const buyer = await make.buyer(db, { country: 'PT' });
    const { id: productId } = await make.product(db, { priceMinor: 10_000 });
    await make.cart(db, buyer.id, [{ productId }]);
    const token = await signIn(administration.world, buyer);
    const tax = async () =>
      (await administration.ask('get', '/cart', undefined, token)).body.data.summary.tax as number;
    for (const [rate, taken] of [
      [20, 20],
      [5.55, 5.55],
      [5.55, 5.55],
      [0, 0],
    ]) {
      const answer = await set('PT', rate);
      expect([answer.status, answer.body.data]).toEqual([200, { country: 'PT', rate }]);
      expect(await tax()).toBe(taken);
    }
    const record = (from: number | null, to: number) => ({
      actorId: administration.admin.id,
      action: 'tax-rate.set',
      previous: { rateBp: from },
      next: { rateBp: to },
    });
    expect(await recordsOf(administration, 'tax-rate', 'PT')).toEqual([
      record(null, 2_000),
      record(2_000, 555),
      record(555, 0),
    ]);
  });

  test('many at once: each record begins where the one before ended', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => set('IT', i + 1)));
    expect(answers.map(outcomeOf)).toEqual(Array(10).fill('200'));
    const records = await recordsOf(administration, 'tax-rate', 'IT');
    expect(records.map(({ previous }) => previous!['rateBp'])).toEqual([
      null,
      ...records.slice(0, -1).map(({ next }) => next['rateBp']),
    ]);
  });

  test('400 VALIDATION_ERROR for what is no country, or no percentage', async () => {
    for (const [country, rate, field] of [
      ['de', 19, 'country'],
      ['XX', 19, 'country'],
      ['DEU', 19, 'country'],
      ['DE', undefined, 'rate'],
      ['DE', -0.01, 'rate'],
      ['DE', 100.01, 'rate'],
      ['DE', 19.005, 'rate'],
      ['DE', '19', 'rate'],
    ] as const) {
      const answer = await set(country, rate);
      expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
        '400 VALIDATION_ERROR',
        [field],
      ]);
    }
    expect(outcomeOf(await set('DE', 100))).toBe('200');
  });
});
