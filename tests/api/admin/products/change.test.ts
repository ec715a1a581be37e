import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { releaseStock, reserveStock } from '../../../../db/catalog/stock/stock.transitions';
import { firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { changeProduct } from '../../../../api/admin/products/change.command';
import { given } from '../../../support/builders/given';
import { violations } from '../../../support/checks/violations';
import { make } from '../../../support/builders/make';
import { countingTries, warmPool } from '../../../support/servers/tries';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { auditsOf, keptProduct, movementsOf, outcomes, refusalOf } from './product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));

describe('PATCH /admin/products/:id', () => {
  const change = (id: string, body: object, token?: string | null) =>
    adminWorld.ask('patch', `/admin/products/${id}`, body, token);
  const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;

  const Changed = z.strictObject({
    id: z.uuid(),
    name: z.string(),
    sku: z.string(),
    status: z.string(),
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid(),
  });

  test('200: the fields sent are changed, in the shop at once, and recorded; the rest and the slug stay', async () => {
    const product = await make.product(adminWorld.world.db, { stock: 5, tags: ['old'] });
    const before = await shop(product.id);
    const answer = await change(product.id, { name: 'Renamed', price: 19.99, tags: ['new'], weight: 2 });
    expect(answer.status).toBe(200);
    expect(Changed.parse(answer.body.data)).toMatchObject({
      id: product.id,
      name: 'Renamed',
      sku: product.sku,
      status: 'ACTIVE',
      updatedBy: adminWorld.admin.id,
    });
    const { updatedAt } = answer.body.data;
    const after = { name: 'Renamed', price: 19.99, tags: ['new'], weight: 2, updatedAt };
    expect(await shop(product.id)).toEqual({ ...before, ...after });
    expect(await auditsOf(adminWorld.world.db, product.id)).toEqual([
      {
        action: 'product.update',
        previous: { name: product.name, priceMinor: 2500, tags: ['old'], weightGrams: 1000 },
        next: { name: 'Renamed', priceMinor: 1999, tags: ['new'], weightGrams: 2000 },
      },
    ]);
  });

  test('null empties an optional field', async () => {
    const category = await make.category(adminWorld.world.db);
    const { id } = await make.product(adminWorld.world.db, {
      categoryId: category.id,
      compareAtPriceMinor: 9_900,
    });
    await change(id, { dimensions: { length: 1, width: 2, height: 3.5 }, shortDescription: 'Short.' });
    expect(await shop(id)).toMatchObject({ dimensions: { height: 3.5 }, shortDescription: 'Short.' });
    const nothing = {
      compareAtPrice: null,
      categoryId: null,
      stockQuantity: null,
      weight: null,
      dimensions: null,
    };
    expect((await change(id, { ...nothing, shortDescription: '' })).status).toBe(200);
    expect(await shop(id)).toMatchObject({
      compareAtPrice: null,
      category: null,
      stockQuantity: null,
      trackInventory: false,
      weight: null,
      dimensions: null,
      shortDescription: null,
    });
  });

  test('what is as productRequest already leaves no trace', async () => {
    const product = await make.product(adminWorld.world.db, {
      stock: 5,
      attributes: { size: 'M', colour: 'red' },
    });
    const before = await keptProduct(adminWorld.world.db, product.id);
    const same = {
      name: product.name,
      price: 25,
      stockQuantity: 5,
      attributes: { colour: 'red', size: 'M' },
    };
    for (const body of [{}, same]) expect((await change(product.id, body)).status).toBe(200);
    expect(await keptProduct(adminWorld.world.db, product.id)).toEqual(before);
    expect(await auditsOf(adminWorld.world.db, product.id)).toEqual([]);
    expect(await movementsOf(adminWorld.world.db, product.id)).toHaveLength(1);
  });

  test.each(['ACTIVE', 'DRAFT', 'ARCHIVED', 'OUT_OF_STOCK'])('any status may be set: %s', async (status) => {
    const { id } = await make.product(adminWorld.world.db, {
      status: status === 'DRAFT' ? 'ARCHIVED' : 'DRAFT',
    });
    expect((await change(id, { status })).body.data.status).toBe(status);
    const { status: shown } = await adminWorld.world.http.get(`/api/v1/products/${id}`);
    expect(shown).toBe(status === 'ACTIVE' || status === 'OUT_OF_STOCK' ? 200 : 404);
  });

  test('two administrators at once: neither change is lost', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: 5 });
    const halves = Array.from({ length: 5 }, (_, i) => [
      change(id, { name: `Name ${i}`, price: 10 + i }),
      change(id, { description: `Text ${i}`, stockQuantity: 20 + i }, adminWorld.tokens.superAdmin),
    ]);
    expect(outcomes(await Promise.all(halves.flat()))).toEqual({ '200': 10 });
    const { name, price, description, stockQuantity } = await shop(id);
    expect(`Name ${price - 10}`).toBe(name);
    expect(`Text ${stockQuantity - 20}`).toBe(description);
    const audits = await auditsOf(adminWorld.world.db, id);
    const names = audits.flatMap(({ previous, next }) =>
      next && 'name' in next ? [[previous!['name'], next['name']]] : [],
    );
    names.slice(1).forEach(([from], i) => expect(from).toBe(names[i]![1]));
  });

  describe('409 SKU_ALREADY_EXISTS', () => {
    test('the SKU of another is refused, its own is not', async () => {
      const [product, other] = [
        await make.product(adminWorld.world.db),
        await make.product(adminWorld.world.db),
      ];
      const variant = await make.variant(adminWorld.world.db, product.id);
      for (const sku of [other.sku, variant.sku])
        expect(refusalOf(await change(product.id, { sku, name: 'Not kept' }))).toEqual({
          status: 409,
          code: 'SKU_ALREADY_EXISTS',
          fields: ['sku'],
        });
      expect((await shop(product.id)).name).toBe(product.name);
      expect((await change(product.id, { sku: product.sku })).status).toBe(200);
      expect((await change(product.id, { sku: 'NEW-NUMBER' })).body.data.sku).toBe('NEW-NUMBER');
    });
  });

  test.each([randomUUID(), 'x'])('404 PRODUCT_NOT_FOUND for an unknown id or slug: %s', async (product) => {
    expect(outcomeOf(await change(product, { name: 'Back' }))).toBe('404 PRODUCT_NOT_FOUND');
  });

  test('a deleted product stays archived through other changes; another status restores it, with its variants', async () => {
    const { db } = adminWorld.world;
    const product = await make.product(db);
    const variant = await make.variant(db, product.id, { stock: 3 });
    const remove = () => adminWorld.ask('delete', `/admin/products/${product.id}`);
    const { deletedAt } = (await remove()).body.data;

    expect((await change(product.id, { name: 'Renamed' })).body.data.status).toBe('ARCHIVED');
    expect((await remove()).body.data.deletedAt).toBe(deletedAt);
    expect((await change(product.id, { status: 'ACTIVE' })).body.data.status).toBe('ACTIVE');
    expect(await shop(product.id)).toMatchObject({
      name: 'Renamed',
      variants: [{ id: variant.id, stockQuantity: 3 }],
    });
    expect((await remove()).body.data.deletedAt > deletedAt).toBe(true);
  });

  describe('400 VALIDATION_ERROR', () => {
    test.each<[string, unknown]>([
      ['name', null],
      ['price', null],
      ['status', 'GONE'],
      ['status', null],
      ['categoryId', randomUUID()],
      ['stockQuantity', -1],
      ['stockQuantity', 2 ** 31],
      ['trackInventory', null],
      ['dimensions', []],
      ['attributes.size', { size: 1 }],
      ['tags', null],
      ['commissionPercentage', 1e9],
    ])('%s: %p', async (field, value) => {
      const { id } = await make.product(adminWorld.world.db);
      const body = { [field.split('.')[0]!]: value };
      const answer = await change(id, body);
      const { status, code, fields } = refusalOf(answer);
      expect([status, code, fields[0]]).toEqual([
        400,
        'VALIDATION_ERROR',
        field === 'dimensions' ? expect.stringMatching(/^dimensions/) : field,
      ]);
    });
  });

  test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
    const { id } = await make.product(adminWorld.world.db);
    expect(outcomeOf(await change(id, {}, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await change(id, {}, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
    expect(await rows(adminWorld.world.db, 'SELECT 1 FROM audit_records WHERE entity_id = $1', [id])).toEqual(
      [],
    );
    expect(await firstRow(adminWorld.world.db, 'SELECT status FROM products WHERE id = $1', [id])).toEqual({
      status: 'ACTIVE',
    });
  });
});

describe('stock changed by PATCH /admin/products/:id', () => {
  const change = (id: string, body: object) => adminWorld.ask('patch', `/admin/products/${id}`, body);
  const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;

  test('each count is a movement of who counted, and the audit record says from what to what', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: 5 });
    for (const stockQuantity of [9, 2, 0]) await change(id, { stockQuantity });
    const movements = await movementsOf(adminWorld.world.db, id);
    expect(movements.map(({ kind, availableDelta }) => [kind, availableDelta])).toEqual([
      ['INITIAL', 5],
      ['ADJUST', 4],
      ['ADJUST', -7],
      ['ADJUST', -2],
    ]);
    const { id: byAdmin } = adminWorld.admin;
    expect(movements.map(({ countedBy }) => countedBy)).toEqual([null, byAdmin, byAdmin, byAdmin]);
    expect((await auditsOf(adminWorld.world.db, id)).map(({ previous, next }) => [previous, next])).toEqual([
      [{ stockQuantity: 5 }, { stockQuantity: 9 }],
      [{ stockQuantity: 9 }, { stockQuantity: 2 }],
      [{ stockQuantity: 2 }, { stockQuantity: 0 }],
    ]);
    expect(await shop(id)).toMatchObject({ stockQuantity: 0, status: 'OUT_OF_STOCK' });
  });

  test('the first count begins the history of movements, and limits the sale', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: null });
    await change(id, { stockQuantity: 7 });
    expect(await movementsOf(adminWorld.world.db, id)).toMatchObject([
      { kind: 'INITIAL', availableDelta: 7 },
    ]);
    expect(await shop(id)).toMatchObject({ stockQuantity: 7, trackInventory: true });
  });

  test('it is the stock of the product itself; visitors see it together with that of its variants', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: 5 });
    await make.variant(adminWorld.world.db, id, { stock: 4 });
    await change(id, { stockQuantity: 1 });
    expect(await shop(id)).toMatchObject({ stockQuantity: 5, variants: [{ stockQuantity: 4 }] });
  });

  test('many counts at once are each a whole movement', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: null });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => change(id, { stockQuantity: 10 + i })),
    );
    expect(outcomes(answers)).toEqual({ '200': 12 });
    const kinds = (await movementsOf(adminWorld.world.db, id)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual([...Array.from({ length: 11 }, () => 'ADJUST'), 'INITIAL']);
  });

  test('first counts at once wait for each other, so that none is undone by a deadlock', async () => {
    const counted = countingTries(adminWorld.world.db);
    const by = { actorId: adminWorld.admin.id, clientAddress: null };
    for (let round = 0; round < 5; round++) {
      const { id } = await make.product(adminWorld.world.db, { stock: null });
      await warmPool(counted.db);
      await Promise.all(
        Array.from({ length: 12 }, (_, i) => changeProduct(counted.db, id, { stockQuantity: 10 + i }, by)),
      );
    }
    expect(counted.contended()).toBe(0);
  });

  test('raced by orders: every unit is sold once, or counted', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: 40 });
    const orders: { orderId: string }[] = [];
    while (orders.length < 10) orders.push(await given(adminWorld.world.db).order());
    const sells = ({ orderId }: { orderId: string }) =>
      inTransaction(adminWorld.world.db, (tx) =>
        reserveStock(tx, [{ stockItemId: item, quantity: 1 }], { orderId }, new Date().toISOString()),
      );
    const item = (await firstRow<{ id: string }>(
      adminWorld.world.db,
      'SELECT id FROM stock_items WHERE product_id = $1',
      [id],
    ))!.id;
    await Promise.all([
      ...orders.map(sells),
      ...Array.from({ length: 5 }, (_, n) => change(id, { stockQuantity: 20 + n })),
    ]);
    const movements = await movementsOf(adminWorld.world.db, id);
    const sum = movements.reduce((all, { availableDelta }) => all + availableDelta, 0);
    expect((await shop(id)).stockQuantity).toBe(sum);
    expect(movements.filter(({ kind }) => kind === 'RESERVE')).toHaveLength(10);
    await inTransaction(adminWorld.world.db, async (tx) => {
      for (const { orderId } of orders)
        await releaseStock(tx, [{ stockItemId: item, quantity: 1 }], { orderId }, new Date().toISOString());
    });
  });
});
