import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { MethodShape, simpleMethod, zone, zonesIn } from './methods';

let administration: AdminWorld;
beforeEach(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterEach(() => administration.world.teardown());

const create = (body: object, token?: string | null) =>
  administration.ask('post', '/admin/shipping-methods', body, token);

test('201 with every field, one audit record, and buyers can send by it at once', async () => {
  const answer = await create({
    name: ' Express ',
    carrier: 'Swift Courier',
    description: 'By courier.',
    estimatedDays: { min: 1, max: 2 },
    currency: 'USD',
    freeThreshold: 99.99,
    trackingUrlTemplate: 'https://swift.example.com/t?n={trackingNumber}',
    isActive: true,
    position: 3,
    zones: [
      { name: 'Benelux', countries: ['NL', 'BE', 'LU', 'NL'], basePrice: 4.9, pricePerKg: 0.55 },
      { name: 'Alps', countries: ['AT', 'CH'], basePrice: 0, pricePerKg: 0 },
    ],
  });
  expect(answer.status).toBe(201);
  const method = MethodShape.parse(answer.body.data);
  expect(method).toMatchObject({
    ...{ name: 'Express', carrier: 'Swift Courier', description: 'By courier.', position: 3, isActive: true },
    ...{ estimatedDays: { min: 1, max: 2 }, freeThreshold: 99.99 },
    trackingUrlTemplate: 'https://swift.example.com/t?n={trackingNumber}',
    zones: [
      { name: 'Alps', countries: ['AT', 'CH'], basePrice: 0, pricePerKg: 0 },
      { name: 'Benelux', countries: ['BE', 'LU', 'NL'], basePrice: 4.9, pricePerKg: 0.55 },
    ],
  });
  expect(await recordsOf(administration, 'shipping-method', method.id)).toMatchObject([
    {
      actorId: administration.admin.id,
      action: 'shipping-method.create',
      previous: null,
      next: { name: 'Express' },
    },
  ]);
  const toLuxembourg = await administration.ask('get', '/shipping/methods?country=LU', undefined, null);
  expect(toLuxembourg.body.data.methods).toMatchObject([{ id: method.id, price: 4.9, freeThreshold: 99.99 }]);
});

test('what is left out has its default; one that is switched off is not offered', async () => {
  const { body } = await create({ ...simpleMethod(zone('Home', ['DE'])), isActive: false });
  expect(MethodShape.parse(body.data)).toMatchObject({
    ...{ description: null, freeThreshold: null, trackingUrlTemplate: null, position: 0, currency: 'USD' },
  });
  expect(outcomeOf(await administration.ask('get', '/shipping/methods?country=DE', undefined, null))).toBe(
    '400 SHIPPING_NOT_AVAILABLE',
  );
});

test('several methods name a zone, each at its price, without its countries', async () => {
  await create(simpleMethod(zone('Home', ['DE', 'AT'], 5)));
  const second = await create(simpleMethod(zone('Home', undefined, 9)));
  expect(second.body.data.zones).toEqual([zone('Home', ['AT', 'DE'], 9)]);
  const { body } = await administration.ask('get', '/shipping/methods?country=AT', undefined, null);
  expect(body.data.methods.map((method: { price: number }) => method.price)).toEqual([5, 9]);
  expect(await zonesIn(administration.world.db)).toEqual(['Home: AT DE']);
});

test('many at once with one new zone make one zone', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => create(simpleMethod(zone('Home', ['DE', 'AT'])))),
  );
  expect(answers.map(outcomeOf)).toEqual(Array(8).fill('201'));
  expect(await zonesIn(administration.world.db)).toEqual(['Home: AT DE']);
});

test('400 VALIDATION_ERROR naming the field, and nothing is left of it', async () => {
  await create(simpleMethod(zone('Home', ['DE'])));
  const home = zone('Home');
  const cases: [object, string[]][] = [
    [{}, ['carrier', 'estimatedDays', 'name', 'zones']],
    [{ ...simpleMethod(home), name: ' ' }, ['name']],
    [{ ...simpleMethod(home), estimatedDays: { min: 3, max: 2 } }, ['estimatedDays.max']],
    [
      { ...simpleMethod(home), estimatedDays: { min: -1, max: 366 } },
      ['estimatedDays.max', 'estimatedDays.min'],
    ],
    [{ ...simpleMethod(home), currency: 'EUR' }, ['currency']],
    [{ ...simpleMethod(home), freeThreshold: -1, position: 0.5 }, ['freeThreshold', 'position']],
    [simpleMethod(), ['zones']],
    [simpleMethod(zone('New')), ['zones.0.countries']],
    [simpleMethod(zone('New', [])), ['zones.0.countries']],
    [simpleMethod(zone('New', ['XX'])), ['zones.0.countries.0']],
    [simpleMethod(zone('New', ['FR', 'DE'])), ['zones.0.countries']],
    [simpleMethod(home, zone('Home', ['DE'])), ['zones.1.name']],
    [simpleMethod(zone('A', ['FR']), zone('B', ['FR'])), ['zones.0.countries', 'zones.1.countries']],
    [
      simpleMethod({ ...home, basePrice: -1, pricePerKg: 0.001 }),
      ['zones.0.basePrice', 'zones.0.pricePerKg'],
    ],
    [
      simpleMethod({ ...home, basePrice: 1_001, pricePerKg: 1e300 }),
      ['zones.0.basePrice', 'zones.0.pricePerKg'],
    ],
  ];
  for (const [body, fields] of cases) {
    const answer = await create(body);
    expect([body, outcomeOf(answer)]).toEqual([body, '400 VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details as object).sort()).toEqual(fields);
  }
  expect(await zonesIn(administration.world.db)).toEqual(['Home: DE']);
  expect((await administration.ask('get', '/admin/shipping-methods')).body.data.methods).toHaveLength(1);
});

test('400 VALIDATION_ERROR for a tracking address that is none, or leads elsewhere', async () => {
  for (const trackingUrlTemplate of [
    'http://carrier.example.com/{trackingNumber}',
    'javascript:alert({trackingNumber})',
    'https://carrier.example.com/track',
    'https://carrier.example.com{trackingNumber}',
    'https://{trackingNumber}/x',
    'https://a.example.com/{trackingNumber}/{trackingNumber}',
    'https://a.example.com/{other}/{trackingNumber}',
    'https://a b.example.com/{trackingNumber}',
  ]) {
    const answer = await create({ ...simpleMethod(zone('Home', ['DE'])), trackingUrlTemplate });
    expect([trackingUrlTemplate, outcomeOf(answer)]).toEqual([trackingUrlTemplate, '400 VALIDATION_ERROR']);
  }
});

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await create({}, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await create({}, administration.tokens.user))).toBe('403 FORBIDDEN');
});
