import { z } from 'zod';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
  for (const [country, rateBp] of [
    ['FR', 2_000],
    ['CH', 810],
    ['DE', 1_900],
  ] as const)
    await make.taxRate(administration.world.db, country, rateBp);
});
afterAll(() => administration.world.teardown());

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

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await list('', administration.tokens.user))).toBe('403 FORBIDDEN');
});
