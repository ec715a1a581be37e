import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(() => administration.world.teardown());

const set = (country: string, rate: unknown, token?: string | null) =>
  administration.ask('put', `/admin/tax-rates/${country}`, { rate }, token);

test('200: carts follow at once; setting the same again leaves no trace', async () => {
  const { db } = administration.world;
  const buyer = await make.buyer(db, { country: 'FR' });
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
    const answer = await set('FR', rate);
    expect([answer.status, answer.body.data]).toEqual([200, { country: 'FR', rate }]);
    expect(await tax()).toBe(taken);
  }
  const record = (from: number | null, to: number) => ({
    actorId: administration.admin.id,
    action: 'tax-rate.set',
    previous: { rateBp: from },
    next: { rateBp: to },
  });
  expect(await recordsOf(administration, 'tax-rate', 'FR')).toEqual([
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

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await set('DE', 19, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await set('DE', 19, administration.tokens.user))).toBe('403 FORBIDDEN');
});
