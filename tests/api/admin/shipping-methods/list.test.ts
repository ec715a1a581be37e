import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { MethodShape, simpleMethod, zone } from './methods';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
  for (const [name, position, isActive] of [
    ['Third', 2, true],
    ['First', 0, false],
    ['Second', 1, true],
    ['Gone', 0, true],
  ] as const) {
    const method = { ...simpleMethod(zone('Home', ['DE', 'AT'])), name, position, isActive };
    const { body } = await administration.ask('post', '/admin/shipping-methods', method);
    if (name === 'Gone')
      await administration.ask('delete', `/admin/shipping-methods/${body.data.id as string}`);
  }
});
afterAll(() => administration.world.teardown());

const list = (query = '', token?: string | null) =>
  administration.ask('get', `/admin/shipping-methods${query}`, undefined, token);
const names = (answer: Awaited<ReturnType<typeof list>>): string[] =>
  (answer.body.data.methods as { name: string }[]).map(({ name }) => name);

test('200 in the shop’s order, also what is switched off, without what was deleted', async () => {
  const answer = await list();
  expect(answer.status).toBe(200);
  const methods = (answer.body.data.methods as unknown[]).map((method) => MethodShape.parse(method));
  expect(methods).toMatchObject([
    { name: 'First', isActive: false, zones: [zone('Home', ['AT', 'DE'])] },
    { name: 'Second' },
    { name: 'Third' },
  ]);
  expect(answer.body.meta.pagination).toMatchObject({ total: 3, page: 1, pageSize: 20 });
});

test('pages never overlap; 400 VALIDATION_ERROR for one that is too large', async () => {
  expect([names(await list('?pageSize=2')), names(await list('?pageSize=2&page=2'))]).toEqual([
    ['First', 'Second'],
    ['Third'],
  ]);
  expect(outcomeOf(await list('?pageSize=101'))).toBe('400 VALIDATION_ERROR');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await list('', administration.tokens.user))).toBe('403 FORBIDDEN');
});
