import { randomUUID } from 'node:crypto';
import { firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { orderSteps } from '../../../support/builders/ordering';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { MethodShape, simpleMethod, withoutMethods, zone, zonesIn } from './methods';
import { given } from '../../../support/builders/given';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(() => administration.world.teardown());

describe('GET /admin/shipping-methods', () => {
  beforeAll(async () => {
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
});

describe('POST /admin/shipping-methods', () => {
  beforeEach(() => withoutMethods(administration.world.db));

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
      ...{
        name: 'Express',
        carrier: 'Swift Courier',
        description: 'By courier.',
        position: 3,
        isActive: true,
      },
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
    expect(toLuxembourg.body.data.methods).toMatchObject([
      { id: method.id, price: 4.9, freeThreshold: 99.99 },
    ]);
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
});

describe('DELETE /admin/shipping-methods/:id', () => {
  beforeEach(() => withoutMethods(administration.world.db));

  const remove = (id: string, token?: string | null) =>
    administration.ask('delete', `/admin/shipping-methods/${id}`, undefined, token);

  test('200, once: it is no longer offered, and its zones are free', async () => {
    const { body } = await administration.ask(
      'post',
      '/admin/shipping-methods',
      simpleMethod(zone('Home', ['DE'])),
    );
    const id = body.data.id as string;
    const answer = await remove(id);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { message: expect.any(String) as string, shippingMethodId: id },
    ]);
    expect(outcomeOf(await administration.ask('get', '/shipping/methods?country=DE', undefined, null))).toBe(
      '400 SHIPPING_NOT_AVAILABLE',
    );
    expect((await administration.ask('get', '/admin/shipping-methods')).body.data.methods).toEqual([]);
    expect(await zonesIn(administration.world.db)).toEqual([]);
    expect(outcomeOf(await remove(id))).toBe('404 SHIPPING_METHOD_NOT_FOUND');
    expect((await recordsOf(administration, 'shipping-method', id)).at(-1)).toMatchObject({
      actorId: administration.admin.id,
      action: 'shipping-method.delete',
      previous: { name: 'Standard', zones: [{ name: 'Home', countries: ['DE'] }], deletedAt: null },
      next: { zones: [] },
    });
  });

  test('a zone where another method goes stays', async () => {
    const method = simpleMethod(zone('Home', ['DE']));
    await administration.ask('post', '/admin/shipping-methods', method);
    const { body } = await administration.ask('post', '/admin/shipping-methods', method);
    await remove(body.data.id as string);
    expect(await zonesIn(administration.world.db)).toEqual(['Home: DE']);
  });

  test('an order keeps its method; no new order can use it', async () => {
    const { db } = administration.world;
    const { orderId } = await given(db).order();
    const order = await firstRow<{ methodId: string; name: string }>(
      db,
      'SELECT shipping_method_id AS method_id, shipping_method_name AS name FROM orders WHERE id = $1',
      [orderId],
    );
    await make.shippingMethod(db);
    expect(outcomeOf(await remove(order!.methodId))).toBe('200');
    const kept = await firstRow(
      db,
      `SELECT o.shipping_method_name AS name FROM orders o JOIN shipping_methods m ON m.id = o.shipping_method_id
      WHERE o.id = $1`,
      [orderId],
    );
    expect(kept).toEqual({ name: order!.name });
    const next = await given(db).cart();
    const command = { ...next.input, shippingMethodId: order!.methodId, at: new Date().toISOString() };
    await expect(orderSteps(db).placeOrder({ ...next, ...command })).rejects.toMatchObject({
      type: 'INVALID_SHIPPING_METHOD',
    });
  });

  test('404 SHIPPING_METHOD_NOT_FOUND for one that is none', async () => {
    expect(outcomeOf(await remove(randomUUID()))).toBe('404 SHIPPING_METHOD_NOT_FOUND');
    expect(outcomeOf(await remove('x'))).toBe('400 VALIDATION_ERROR');
  });
});

describe('PATCH /admin/shipping-methods/:id', () => {
  beforeEach(() => withoutMethods(administration.world.db));

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
    expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
    expect(refused.body.error).toMatchObject({
      reason: 'SHIPPING_ZONES_CONFLICT',
      details: { 'zones.0.countries': ['CH is already in "Alps"'] },
    });
    expect(outcomeOf(await change(one, { zones: [zone('Home', ['DE', 'FR'])] }))).toBe('200');
    const toFrance = await administration.ask('get', '/shipping/methods?country=FR', undefined, null);
    expect(toFrance.body.data.methods.map(({ id }: { id: string }) => id).sort()).toEqual(
      [one, other].sort(),
    );
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
    for (const [body, fields] of [
      [{ zones: [] }, ['zones']],
      [{ zones: [zone('Nowhere')] }, ['zones.0.countries']],
      [{ estimatedDays: { min: 9, max: 1 } }, ['estimatedDays.max']],
      [{ name: null }, ['name']],
      [{ position: -1 }, ['position']],
    ] as const) {
      const answer = await change(id, { carrier: 'Other', ...body });
      expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
        '400 VALIDATION_ERROR',
        fields,
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
});
