import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(() => administration.world.teardown());

const remove = (country: string, token?: string | null) =>
  administration.ask('delete', `/admin/tax-rates/${country}`, undefined, token);

test('200, once, with its audit record; 404 TAX_RATE_NOT_FOUND where none is set', async () => {
  await make.taxRate(administration.world.db, 'FR', 2_000);
  const answers = await Promise.all(Array.from({ length: 5 }, () => remove('FR')));
  expect(answers.map(outcomeOf).sort()).toEqual(['200', ...Array<string>(4).fill('404 TAX_RATE_NOT_FOUND')]);
  expect(answers.find(({ status }) => status === 200)!.body.data).toEqual({
    message: expect.any(String) as string,
    country: 'FR',
  });
  expect((await administration.ask('get', '/admin/tax-rates')).body.data.taxRates).toEqual([]);
  expect(await recordsOf(administration, 'tax-rate', 'FR')).toEqual([
    {
      actorId: administration.admin.id,
      action: 'tax-rate.delete',
      previous: { rateBp: 2_000 },
      next: { rateBp: null },
    },
  ]);
});

test('400 VALIDATION_ERROR for what is no country', async () => {
  for (const none of ['fr', 'XX', 'FRA']) expect(outcomeOf(await remove(none))).toBe('400 VALIDATION_ERROR');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await remove('DE', null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await remove('DE', administration.tokens.user))).toBe('403 FORBIDDEN');
});
