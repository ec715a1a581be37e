import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { orderState, orderSteps } from '../../../support/builders/ordering';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { CouponShape } from './shapes';
import { given } from '../../../support/builders/given';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(() => administration.world.teardown());

describe('GET /admin/coupons', () => {
  const codes = ['ALPHA', 'BETA-10', 'GAMMA-10'];
  beforeAll(async () => {
    const { db } = administration.world;
    await make.coupon(db, { code: 'ALPHA', amountMinor: 199 });
    await make.coupon(db, { code: 'BETA-10', isActive: false });
    await make.coupon(db, { code: 'GAMMA-10', usageLimit: 2 });
    const { id } = await make.coupon(db, { code: 'GONE-10' });
    await execute(db, 'UPDATE coupons SET deleted_at = now() WHERE id = $1', [id]);
    for (const [i, code] of codes.entries())
      await execute(db, 'UPDATE coupons SET created_at = $2, used_count = $3 WHERE code = $1', [
        code,
        new Date(Date.UTC(2026, 0, i + 1)),
        i === 2 ? 1 : 0,
      ]);
  });

  afterAll(() => execute(administration.world.db, 'UPDATE coupons SET deleted_at = now()'));

  const list = (query = '', token?: string | null) =>
    administration.ask('get', `/admin/coupons${query}`, undefined, token);
  const listed = async (query: string): Promise<string[]> =>
    ((await list(query)).body.data.coupons as { code: string }[]).map(({ code }) => code);

  test('200 with those that are not deleted, newest first, and how often each was used', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    const coupons = (body.data.coupons as unknown[]).map((coupon) => CouponShape.parse(coupon));
    expect(coupons).toMatchObject([
      { code: 'GAMMA-10', usedCount: 1, usageLimit: 2 },
      { code: 'BETA-10', isActive: false },
      { code: 'ALPHA', type: 'FIXED', value: 1.99 },
    ]);
    expect(body.meta.pagination).toMatchObject({ total: 3, page: 1, pageSize: 20 });
  });

  test('filters, and pages that never overlap', async () => {
    expect(await listed('?search=ta-1')).toEqual(['BETA-10']);
    expect(await listed('?search=-10&isActive=true')).toEqual(['GAMMA-10']);
    expect(await listed('?type=FIXED')).toEqual(['ALPHA']);
    expect(await listed('?search=%25')).toEqual([]);
    expect([...(await listed('?pageSize=2')), ...(await listed('?pageSize=2&page=2'))]).toEqual(
      codes.toReversed(),
    );
  });

  test('a date that ends it includes its day', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const sent = { code: 'TODAY', type: 'PERCENTAGE', value: 10, startsAt: day, endsAt: day };
    const { body } = await administration.ask('post', '/admin/coupons', sent);
    expect(body.data).toMatchObject({ startsAt: `${day}T00:00:00.000Z`, endsAt: `${day}T23:59:59.999Z` });
  });

  test('usable now: active, begun, not ended, with uses left', async () => {
    const { db } = administration.world;
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const some = {
      'NOW-OPEN': {},
      'NOW-WITHIN': { startsAt: at(-1), endsAt: at(1), usageLimit: 2 },
      'NOW-OFF': { isActive: false },
      'NOW-EARLY': { startsAt: at(1) },
      'NOW-OVER': { startsAt: at(-2), endsAt: at(-1) },
      'NOW-USED': { usageLimit: 2 },
    };
    for (const [code, fields] of Object.entries(some)) await make.coupon(db, { code, ...fields });
    await execute(db, `UPDATE coupons SET used_count = 2 WHERE code = 'NOW-USED'`);
    await execute(db, `UPDATE coupons SET used_count = 1 WHERE code = 'NOW-WITHIN'`);
    const { body } = await list('?search=NOW-');
    const shown = (body.data.coupons as { code: string; usable: boolean; isActive: boolean }[]).toReversed();
    expect(shown.map(({ code, usable, isActive }) => [code, usable, isActive])).toEqual([
      ['NOW-OPEN', true, true],
      ['NOW-WITHIN', true, true],
      ['NOW-OFF', false, false],
      ['NOW-EARLY', false, true],
      ['NOW-OVER', false, true],
      ['NOW-USED', false, true],
    ]);
    expect((await listed('?search=NOW-&usable=true')).toReversed()).toEqual(['NOW-OPEN', 'NOW-WITHIN']);
    expect(await listed('?search=NOW-&usable=false')).toHaveLength(4);
    expect(await listed('?search=NOW-&usable=false&isActive=false')).toEqual(['NOW-OFF']);
    expect(outcomeOf(await list('?usable=perhaps'))).toBe('400 VALIDATION_ERROR');
  });

  test('400 VALIDATION_ERROR for a page that is too large, and what is no filter', async () => {
    for (const query of [
      '?pageSize=101',
      '?page=0',
      '?type=GIFT',
      '?isActive=maybe',
      `?search=${'x'.repeat(51)}`,
    ])
      expect(outcomeOf(await list(query))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await list('?pageSize=100'))).toBe('200');
  });
});

describe('DELETE /admin/coupons/:id', () => {
  const remove = (id: string, token?: string | null) =>
    administration.ask('delete', `/admin/coupons/${id}`, undefined, token);

  test('200, once: it is no longer listed, applies to no cart, and is recorded', async () => {
    const { db } = administration.world;
    const coupon = await make.coupon(db, { percentageBp: 5_000 });
    const buyer = await make.buyer(db);
    const { id: productId } = await make.product(db);
    await make.cart(db, buyer.id, [{ productId }]);
    const token = await signIn(administration.world, buyer);
    const lay = () => administration.ask('post', '/cart/coupons', { code: coupon.code }, token);
    expect((await lay()).body.data.summary.discount).toBe(12.5);

    const answer = await remove(coupon.id);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { message: expect.any(String) as string, couponId: coupon.id },
    ]);
    const cart = await administration.ask('get', '/cart', undefined, token);
    expect(cart.body.data).toMatchObject({ appliedCoupons: [], summary: { discount: 0 } });
    expect(outcomeOf(await lay())).toBe('400 INVALID_COUPON');
    expect((await administration.ask('get', '/admin/coupons')).body.data.coupons).toEqual([]);
    expect(outcomeOf(await remove(coupon.id))).toBe('404 COUPON_NOT_FOUND');
    expect(await recordsOf(administration, 'coupon', coupon.id)).toEqual([
      {
        actorId: administration.admin.id,
        action: 'coupon.delete',
        previous: { code: coupon.code, deletedAt: null },
        next: { deletedAt: expect.any(String) as string },
      },
    ]);
  });

  test('an order keeps its discount, and returns the use when it is cancelled unpaid', async () => {
    const { db } = administration.world;
    const order = await given(db).order();
    expect(outcomeOf(await remove(order.couponId))).toBe('200');
    const kept = await rows(db, 'SELECT discount_minor::int AS off FROM order_coupons WHERE order_id = $1', [
      order.orderId,
    ]);
    expect(kept).toEqual([{ off: 500 }]);
    const late = new Date(Date.parse(order.at) + 31 * 60_000).toISOString();
    await orderSteps(db).expireOrder({ orderId: order.orderId, at: late });
    expect(await orderState(db, order)).toMatchObject({ order: 'CANCELLED FAILED', couponUses: 0 });
  });

  test('an order placed while it is deleted has it, or is refused', async () => {
    const { db } = administration.world;
    const order = await given(db).cart();
    const [placed, removed] = await Promise.all([
      orderSteps(db)
        .placeOrder({ ...order, ...order.input, at: new Date().toISOString() })
        .then(
          () => 'placed',
          (error: unknown) => (error as { type: string }).type,
        ),
      remove(order.couponId),
    ]);
    expect(outcomeOf(removed)).toBe('200');
    expect(['placed', 'INVALID_COUPON']).toContain(placed);
    expect((await orderState(db, order)).couponUses).toBe(placed === 'placed' ? 1 : 0);
  });

  test('404 COUPON_NOT_FOUND for one that is none', async () => {
    expect(outcomeOf(await remove(randomUUID()))).toBe('404 COUPON_NOT_FOUND');
    expect(outcomeOf(await remove('x'))).toBe('400 VALIDATION_ERROR');
  });
});

describe('POST /admin/coupons', () => {
  const create = (body: object, token?: string | null) =>
    administration.ask('post', '/admin/coupons', body, token);
  const simple = { code: 'SIMPLE', type: 'PERCENTAGE', value: 10, isActive: true };

  test('201 with every field, the code in capitals, and one audit record', async () => {
    const product = await make.product(administration.world.db);
    const category = await make.category(administration.world.db);
    const answer = await create({
      code: ' summer-15 ',
      type: 'PERCENTAGE',
      value: 12.5,
      minSubtotal: 49.99,
      startsAt: '2026-06-01',
      endsAt: '2026-09-01T00:00:00+02:00',
      usageLimit: 100,
      perUserLimit: 2,
      productIds: [product.id, product.id],
      categoryIds: [category.id],
      isActive: true,
    });
    expect(answer.status).toBe(201);
    const coupon = CouponShape.parse(answer.body.data);
    expect(coupon).toMatchObject({
      code: 'SUMMER-15',
      type: 'PERCENTAGE',
      value: 12.5,
      minSubtotal: 49.99,
      startsAt: '2026-06-01T00:00:00.000Z',
      endsAt: '2026-08-31T22:00:00.000Z',
      usageLimit: 100,
      perUserLimit: 2,
      usedCount: 0,
      productIds: [product.id],
      categoryIds: [category.id],
      isActive: true,
    });
    expect(await recordsOf(administration, 'coupon', coupon.id)).toEqual([
      {
        actorId: administration.admin.id,
        action: 'coupon.create',
        previous: null,
        next: expect.objectContaining({ code: 'SUMMER-15', percentageBp: 1250, usageLimit: 100 }) as object,
      },
    ]);
  });

  test('what is left out does not limit it, and buyers can use it at once', async () => {
    const { body } = await create({ code: 'PLAIN', type: 'FIXED', value: 5.01 });
    expect(CouponShape.parse(body.data)).toMatchObject({
      value: 5.01,
      minSubtotal: null,
      startsAt: null,
      endsAt: null,
      usageLimit: null,
      perUserLimit: null,
      productIds: [],
      categoryIds: [],
      isActive: true,
    });
    const buyer = await make.buyer(administration.world.db);
    const { id: productId } = await make.product(administration.world.db, { priceMinor: 2_000 });
    await make.cart(administration.world.db, buyer.id, [{ productId }]);
    const laid = await administration.ask(
      'post',
      '/cart/coupons',
      { code: 'plain' },
      await signIn(administration.world, buyer),
    );
    expect([laid.status, laid.body.data.summary.discount]).toEqual([201, 5.01]);
  });

  test('the same request under the same key makes one coupon', async () => {
    const send = () =>
      administration.world.http
        .post('/api/v1/admin/coupons')
        .auth(administration.tokens.admin, { type: 'bearer' })
        .set('Idempotency-Key', 'one-coupon')
        .send({ ...simple, code: 'ONCE' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  test('409 CODE_ALREADY_EXISTS whatever the case, also when 10 try at once; a deleted code is free again', async () => {
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, i) => create({ ...simple, code: i % 2 ? 'taken' : 'TAKEN' })),
    );
    expect(tries.map(outcomeOf).sort()).toEqual(['201', ...Array<string>(9).fill('409 CODE_ALREADY_EXISTS')]);
    const { id } = tries.find(({ status }) => status === 201)!.body.data as { id: string };
    await administration.ask('delete', `/admin/coupons/${id}`);
    const again = await create({ ...simple, code: 'TAKEN' });
    expect(again.status).toBe(201);
    expect(again.body.data.id).not.toBe(id);
  });

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['code', 'type', 'value']],
    ['a code with space in it', { ...simple, code: 'TWO WORDS' }, ['code']],
    ['a code with a slash', { ...simple, code: 'A/B' }, ['code']],
    ['a code that is too long', { ...simple, code: 'A'.repeat(51) }, ['code']],
    ['a code of other letters', { ...simple, code: 'ÄPFEL' }, ['code']],
    ['a type that is none', { ...simple, type: 'GIFT' }, ['type']],
    ['more than all of it', { ...simple, value: 100.01 }, ['value']],
    ['nothing off', { ...simple, value: 0 }, ['value']],
    ['less than nothing', { ...simple, type: 'FIXED', value: -5 }, ['value']],
    ['thousandths', { ...simple, value: 1.005 }, ['value']],
    ['a minimum below zero', { ...simple, minSubtotal: -1 }, ['minSubtotal']],
    [
      'a window that ends before it starts',
      { ...simple, startsAt: '2026-02-01', endsAt: '2026-01-01' },
      ['endsAt'],
    ],
    [
      'a window of no time',
      { ...simple, startsAt: '2026-02-01', endsAt: '2026-02-01T00:00:00Z' },
      ['endsAt'],
    ],
    ['a moment that is none', { ...simple, startsAt: 'tomorrow' }, ['startsAt']],
    [
      'moments beyond the calendar',
      { ...simple, startsAt: '0000-01-01T00:00:00+23:59', endsAt: '9999-12-31T23:59:59-23:59' },
      ['endsAt', 'startsAt'],
    ],
    ['no use at all', { ...simple, usageLimit: 0, perUserLimit: 0 }, ['perUserLimit', 'usageLimit']],
    ['more uses than can be counted', { ...simple, usageLimit: 2 ** 31 }, ['usageLimit']],
    ['half a use', { ...simple, perUserLimit: 1.5 }, ['perUserLimit']],
    [
      'goods that are not there',
      { ...simple, productIds: [randomUUID()], categoryIds: [randomUUID()] },
      ['categoryIds', 'productIds'],
    ],
    ['goods without an id', { ...simple, productIds: ['x'] }, ['productIds.0']],
  ])('400 VALIDATION_ERROR for %s, naming the field', async (_case, body, fields) => {
    const before = await rows(administration.world.db, 'SELECT id FROM coupons');
    const answer = await create(body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details as object).sort()).toEqual(fields);
    expect(await rows(administration.world.db, 'SELECT id FROM coupons')).toEqual(before);
  });

  test('all of it off is allowed', async () => {
    expect((await create({ ...simple, code: 'GIVEN-AWAY', value: 100 })).status).toBe(201);
  });
});
