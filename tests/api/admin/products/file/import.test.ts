import { z } from 'zod';
import { rows } from '../../../../../db/sql/query';
import { violations } from '../../../../support/checks/violations';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { startAdminWorld, type AdminWorld } from '../../admin-world';
import { fileOf, newRow, outcomesOf, sendFile } from './files';
import { auditsOf, movementsOf } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));
afterAll(() => adminWorld.world.teardown());

const send = (file: string | Buffer) => sendFile(adminWorld, file);
const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;
const audits = async () =>
  (await rows<{ n: number }>(adminWorld.world.db, 'SELECT count(*)::int AS n FROM audit_records'))[0]!.n;

const Report = z.strictObject({
  rows: z.array(
    z.strictObject({
      row: z.int(),
      sku: z.string(),
      outcome: z.enum(['CREATED', 'UPDATED', 'UNCHANGED', 'REFUSED']),
      productId: z.uuid().nullable(),
      errors: z.record(z.string(), z.array(z.string())).nullable(),
    }),
  ),
  summary: z.strictObject({
    total: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    refused: z.int(),
  }),
});

test('200: creates, changes, keeps and refuses, row by row; a bad row stops no other', async () => {
  const { db } = adminWorld.world;
  const category = await make.category(db, { slug: 'imported' });
  const known = await make.product(db, { sku: 'KNOWN', stock: 5 });
  const description = 'It does what it says.';
  const same = await make.product(db, { sku: 'SAME', name: 'Thing SAME', description });
  await shop(known.id);
  const answer = await send(
    fileOf([
      newRow('NEW', {
        category: 'imported',
        stockCount: '3',
        weight: '0.5',
        tags: 'a, b',
        attributes: '{"x":"y"}',
      }),
      newRow('BAD', { category: 'nowhere', price: 'ten' }),
      newRow('KNOWN', { category: '', stockCount: '8', weight: '', tags: '', attributes: '' }),
      newRow('SAME', {
        category: '',
        price: '25',
        stockCount: '100',
        weight: '1',
        tags: '',
        attributes: '',
      }),
      newRow('LAST', { category: 'imported', stockCount: '', weight: '', tags: '', attributes: '' }),
    ]),
  );
  expect(answer.status).toBe(200);
  const { rows: report, summary } = Report.parse(answer.body.data);
  expect(summary).toEqual({ total: 5, created: 2, updated: 1, unchanged: 1, refused: 1 });
  expect(outcomesOf(answer)).toEqual([
    [2, 'CREATED', []],
    [3, 'REFUSED', ['category']],
    [4, 'UPDATED', []],
    [5, 'UNCHANGED', []],
    [6, 'CREATED', []],
  ]);
  const [made, , changed, left, last] = report.map(({ productId }) => productId!);
  expect([changed, left]).toEqual([known.id, same.id]);
  expect(await shop(made!)).toMatchObject({
    slug: 'thing-new',
    category: { id: category.id },
    stockQuantity: 3,
    weight: 0.5,
    tags: ['a', 'b'],
    attributes: { x: 'y' },
  });
  expect(await shop(known.id)).toMatchObject({
    name: 'Thing KNOWN',
    price: 10,
    stockQuantity: 8,
    weight: null,
  });
  expect(await shop(last!)).toMatchObject({ stockQuantity: null, trackInventory: false });
  expect(await movementsOf(db, known.id)).toMatchObject([
    { kind: 'INITIAL' },
    { kind: 'ADJUST', availableDelta: 3 },
  ]);
  expect(await auditsOf(db, known.id)).toMatchObject([
    {
      action: 'product.update',
      previous: { priceMinor: 2500 },
      next: { priceMinor: 1000, stockQuantity: 8 },
    },
  ]);
  expect((await auditsOf(db, made!)).map(({ action }) => action)).toEqual(['product.create']);
  expect(await auditsOf(db, same.id)).toEqual([]);
});

test('the same file again changes nothing and records nothing', async () => {
  const file = fileOf([
    newRow('AGAIN-1', {
      stockCount: '4',
      length: '10',
      width: '2.5',
      height: '3',
      attributes: '{"b":"2","a":"1"}',
    }),
    newRow('AGAIN-2', { stockCount: '', length: '', width: '', height: '', attributes: '' }),
  ]);
  expect((await send(file)).body.data.summary).toMatchObject({ created: 2 });
  const before = await audits();
  expect((await send(file)).body.data.summary).toEqual({
    total: 2,
    created: 0,
    updated: 0,
    unchanged: 2,
    refused: 0,
  });
  expect(await audits()).toBe(before);
});

test('importing an exported file changes nothing, whatever its texts are', async () => {
  const { db } = adminWorld.world;
  const evil = ['=1+1', "'=1", '-1', '@x', 'Two\r\nlines', '"quoted", and more', 'ümläut 😀'];
  for (const [i, name] of evil.entries())
    await make.product(db, {
      name,
      description: name,
      attributes: { [name]: name },
      sku: `ROUND-${i}`,
      stock: i,
    });
  await make.product(db, { sku: 'ROUND-uncounted', stock: null, status: 'OUT_OF_STOCK' });
  const { text } = await adminWorld.ask('get', '/admin/products/export');
  const before = await audits();
  const { summary } = (await send(text)).body.data;
  expect(summary.total).toBeGreaterThan(evil.length);
  expect(summary).toEqual({
    total: summary.total,
    created: 0,
    updated: 0,
    unchanged: summary.total,
    refused: 0,
  });
  expect(await audits()).toBe(before);
});

test('importing an exported file after sales and a change of prices does not undo the sales', async () => {
  const { db } = adminWorld.world;
  const { id } = await make.product(db, { sku: 'SOLD-SINCE', stock: 10 });
  const { text } = await adminWorld.ask('get', '/admin/products/export?search=SOLD-SINCE');
  const buyer = await shopper(adminWorld.world, [{ productId: id, quantity: 8 }]);
  await buyer.order();
  const answer = await send(text.replace(',25,', ',24,'));
  expect(answer.body.data.summary).toMatchObject({ updated: 1 });
  expect(await shop(id)).toMatchObject({ price: 24, stockQuantity: 2 });
});

test('a file from before a deletion does not restore the product', async () => {
  const { id } = await make.product(adminWorld.world.db, { sku: 'GONE-SINCE', stock: 1 });
  const { text } = await adminWorld.ask('get', '/admin/products/export?search=GONE-SINCE');
  await adminWorld.ask('delete', `/admin/products/${id}`);
  expect(outcomesOf(await send(text))).toEqual([[2, 'REFUSED', ['sku']]]);
  expect((await adminWorld.world.http.get(`/api/v1/products/${id}`)).status).toBe(404);
});

test('fields without a column in the file stay', async () => {
  const { id } = await make.product(adminWorld.world.db, {
    sku: 'PARTLY',
    stock: 5,
    tags: ['stays'],
    weightGrams: 700,
  });
  const before = await shop(id);
  await send('\uFEFFprice , sku\n12.5,PARTLY\n');
  expect(await shop(id)).toEqual({ ...before, price: 12.5, updatedAt: expect.any(String) });
});

test('two imports of the same file at once create each product once', async () => {
  const file = fileOf(Array.from({ length: 10 }, (_, i) => newRow(`TWINS-${i}`)));
  const answers = await Promise.all([send(file), send(file)]);
  const made = answers.flatMap(({ body }) => body.data.rows as { outcome: string; sku: string }[]);
  expect(made.filter(({ outcome }) => outcome === 'CREATED')).toHaveLength(10);
  const kept = await rows(adminWorld.world.db, `SELECT id FROM products WHERE sku LIKE 'TWINS-%'`);
  expect(kept).toHaveLength(10);
});
