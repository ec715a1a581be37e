import { randomUUID } from 'node:crypto';
import { rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { CouponShape } from './shapes';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(() => administration.world.teardown());

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
  ['a window of no time', { ...simple, startsAt: '2026-02-01', endsAt: '2026-02-01' }, ['endsAt']],
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

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await create(simple, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await create(simple, administration.tokens.user))).toBe('403 FORBIDDEN');
});
