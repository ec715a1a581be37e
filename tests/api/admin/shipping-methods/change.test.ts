import { randomUUID } from 'node:crypto';
import { rows } from '../../../../db/sql/query';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { MethodShape, simpleMethod, zone, zonesIn } from './methods';

let administration: AdminWorld;
beforeEach(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterEach(() => administration.world.teardown());

const create = async (...zones: ReturnType<typeof zone>[]): Promise<string> =>
  (await administration.ask('post', '/admin/shipping-methods', simpleMethod(...zones))).body.data
    .id as string;
const change = (id: string, body: object, token?: string | null) =>
  administration.ask('patch', `/admin/shipping-methods/${id}`, body, token);
const lastRecord = async (id: string) => (await recordsOf(administration, 'shipping-method', id)).at(-1);

test('changes what was sent and nothing else; null empties; the audit record has what stood before', async () => {
  const id = await create(zone('Home', ['DE']));
  const answer = await change(id, { name: 'Slow', estimatedDays: { min: 5, max: 9 }, freeThreshold: 50 });
  expect(answer.status).toBe(200);
  expect(MethodShape.parse(answer.body.data)).toMatchObject({
    ...{ id, name: 'Slow', carrier: 'Parcel Post', estimatedDays: { min: 5, max: 9 }, freeThreshold: 50 },
    zones: [zone('Home', ['DE'])],
  });
  expect(await lastRecord(id)).toEqual({
    actorId: administration.admin.id,
    action: 'shipping-method.update',
    previous: { name: 'Standard', minDays: 2, maxDays: 4, freeThresholdMinor: null },
    next: { name: 'Slow', minDays: 5, maxDays: 9, freeThresholdMinor: 5_000 },
  });
  const emptied = await change(id, { freeThreshold: null });
  expect(emptied.body.data.freeThreshold).toBeNull();
});

test('nothing sent, or nothing new: nothing is recorded and updatedAt stays', async () => {
  const id = await create(zone('Home', ['DE', 'AT']));
  const before = (await change(id, {})).body.data as object;
  const same = { name: ' Standard ', zones: [zone('Home', ['AT', 'DE'])], description: null, position: 0 };
  expect((await change(id, same)).body.data).toEqual(before);
  expect(await recordsOf(administration, 'shipping-method', id)).toHaveLength(1);
});

test('zones take the place of those before; one where nothing goes any more is forgotten, its countries are free', async () => {
  const id = await create(zone('North', ['SE', 'NO']), zone('South', ['IT']));
  const { body } = await change(id, { zones: [zone('South'), zone('Nordics', ['NO', 'SE', 'DK'], 7)] });
  expect(body.data.zones).toEqual([zone('Nordics', ['DK', 'NO', 'SE'], 7), zone('South', ['IT'])]);
  expect(await zonesIn(administration.world.db)).toEqual(['Nordics: DK NO SE', 'South: IT']);
  expect(await lastRecord(id)).toMatchObject({
    previous: { zones: [{ name: 'North', countries: ['NO', 'SE'] }, { name: 'South' }] },
    next: { zones: [{ name: 'Nordics' }, { name: 'South' }] },
  });
});

test('countries of a shared zone change for all its methods, and no country leaves a zone without a request', async () => {
  const [one, other] = [
    await create(zone('Home', ['DE', 'AT'])),
    await create(zone('Home'), zone('Alps', ['CH'])),
  ];
  const refused = await change(one, { zones: [zone('Home', ['DE', 'CH'])] });
  expect([outcomeOf(refused), refused.body.error.details]).toEqual([
    '400 VALIDATION_ERROR',
    { 'zones.0.countries': ['CH lies in "Alps"'] },
  ]);
  expect(outcomeOf(await change(one, { zones: [zone('Home', ['DE', 'FR'])] }))).toBe('200');
  const toFrance = await administration.ask('get', '/shipping/methods?country=FR', undefined, null);
  expect(toFrance.body.data.methods.map(({ id }: { id: string }) => id).sort()).toEqual([one, other].sort());
  expect(outcomeOf(await administration.ask('get', '/shipping/methods?country=AT', undefined, null))).toBe(
    '400 SHIPPING_NOT_AVAILABLE',
  );
});

test('a country moves when both zones are sent', async () => {
  const id = await create(zone('Home', ['DE', 'AT']), zone('Alps', ['CH']));
  const moved = await change(id, { zones: [zone('Home', ['DE']), zone('Alps', ['CH', 'AT'])] });
  expect(moved.status).toBe(200);
  expect(await zonesIn(administration.world.db)).toEqual(['Alps: AT CH', 'Home: DE']);
});

test('two concurrent moves of one country: it ends in one zone, and none answers 500', async () => {
  const [one, other] = [await create(zone('A', ['DE'])), await create(zone('B', ['AT']))];
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      change(one, { zones: [zone('A', ['DE', 'FR'])] }),
      change(other, { zones: [zone('B', ['AT', 'FR'])] }),
    ]);
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 VALIDATION_ERROR']);
    await change(one, { zones: [zone('A', ['DE'])] });
    await change(other, { zones: [zone('B', ['AT'])] });
  }
});

test('400 VALIDATION_ERROR, and all stays as it was', async () => {
  const id = await create(zone('Home', ['DE']));
  const before = await rows(administration.world.db, 'SELECT * FROM shipping_methods');
  for (const [body, field] of [
    [{ zones: [] }, 'zones'],
    [{ zones: [zone('Nowhere')] }, 'zones.0.countries'],
    [{ estimatedDays: { min: 9, max: 1 } }, 'estimatedDays.max'],
    [{ name: null }, 'name'],
    [{ position: -1 }, 'position'],
  ] as const) {
    const answer = await change(id, { carrier: 'Other', ...body });
    expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
      '400 VALIDATION_ERROR',
      [field],
    ]);
  }
  expect(await rows(administration.world.db, 'SELECT * FROM shipping_methods')).toEqual(before);
  expect(await zonesIn(administration.world.db)).toEqual(['Home: DE']);
});

test('404 SHIPPING_METHOD_NOT_FOUND for one that is none, or deleted', async () => {
  const id = await create(zone('Home', ['DE']));
  await administration.ask('delete', `/admin/shipping-methods/${id}`);
  for (const none of [id, randomUUID()])
    expect(outcomeOf(await change(none, { name: 'X' }))).toBe('404 SHIPPING_METHOD_NOT_FOUND');
  expect(outcomeOf(await change('x', {}))).toBe('400 VALIDATION_ERROR');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await change(randomUUID(), {}, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await change(randomUUID(), {}, administration.tokens.user))).toBe('403 FORBIDDEN');
});
