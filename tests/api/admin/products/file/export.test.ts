import { execute } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { startAdminWorld, type AdminWorld } from '../../admin-world';
import { readFile } from './files';
import { refusalOf } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const file = (query = '', token?: string | null) =>
  adminWorld.ask('get', `/admin/products/export${query}`, undefined, token);

test('200: a download with all columns of every product', async () => {
  const { db } = adminWorld.world;
  const category = await make.category(db, { slug: 'kitchen' });
  const product = await make.product(db, {
    sku: 'WHOLE',
    name: 'Kettle, "blue"',
    description: 'Two\nlines; and ümlauts',
    categoryId: category.id,
    compareAtPriceMinor: 2_999,
    stock: 7,
    weightGrams: 855,
    tags: ['kitchen', 'new'],
    attributes: { material: 'steel' },
    commissionBp: 1_250,
  });
  await make.variant(db, product.id, { stock: 30 });
  await adminWorld.ask('patch', `/admin/products/${product.id}`, {
    shortDescription: 'Short.',
    dimensions: { length: 22, width: 16.5, height: 25 },
  });
  await make.product(db, { sku: 'BARE', stock: null, weightGrams: null, status: 'DRAFT' });

  const { status, headers, text } = await file();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toMatch(/^attachment; filename=products-\d{4}-\d\d-\d\d\.csv$/);
  expect(headers['cache-control']).toBe('no-store');
  expect(text.split('\r\n')[0]).toBe(
    '\uFEFFsku,name,description,shortDescription,price,compareAtPrice,category,status,stockQuantity,trackInventory,weight,' +
      'length,width,height,attributes,tags,commissionPercentage,careerPointsPercentage',
  );
  const rows = readFile(text);
  expect(rows.find(({ sku }) => sku === 'WHOLE')).toEqual({
    sku: 'WHOLE',
    name: 'Kettle, "blue"',
    description: 'Two\nlines; and ümlauts',
    shortDescription: 'Short.',
    price: '25',
    compareAtPrice: '29.99',
    category: 'kitchen',
    status: 'ACTIVE',
    stockQuantity: '7',
    trackInventory: 'true',
    weight: '0.855',
    length: '22',
    width: '16.5',
    height: '25',
    attributes: '{"material":"steel"}',
    tags: 'kitchen,new',
    commissionPercentage: '12.5',
    careerPointsPercentage: '100',
  });
  expect(rows.find(({ sku }) => sku === 'BARE')).toMatchObject({
    category: '',
    stockQuantity: '',
    trackInventory: 'false',
    weight: '',
    length: '',
    attributes: '',
    tags: '',
  });
});

test('a text that a spreadsheet would execute is only a text', async () => {
  const evil = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', "'=1", "''@x"];
  for (const [i, name] of evil.entries())
    await make.product(adminWorld.world.db, {
      sku: `EVIL-${i}`,
      name: name,
      description: name,
      tags: [name],
    });
  const rows = readFile((await file('?search=EVIL-')).text);
  expect(rows).toHaveLength(evil.length);
  for (const [i, name] of evil.entries())
    expect(rows.find(({ sku }) => sku === `EVIL-${i}`)).toMatchObject({
      name: `'${name}`,
      description: `'${name}`,
      tags: `'${name}`,
    });
});

test('filters are those of the list; deleted products are archived', async () => {
  const { db } = adminWorld.world;
  const { id: categoryId } = await make.category(db);
  await make.product(db, { sku: 'PICK-1', categoryId });
  await make.product(db, { sku: 'PICK-2', categoryId, status: 'ARCHIVED' });
  const { id } = await make.product(db, { sku: 'PICK-3', categoryId });
  await adminWorld.ask('delete', `/admin/products/${id}`);
  const skus = async (query: string) =>
    readFile((await file(query)).text)
      .map(({ sku }) => sku)
      .sort();
  expect(await skus(`?categoryId=${categoryId}`)).toEqual(['PICK-1', 'PICK-2', 'PICK-3']);
  expect(await skus(`?categoryId=${categoryId}&status=ARCHIVED`)).toEqual(['PICK-2', 'PICK-3']);
  expect(await skus('?search=pick-1')).toEqual(['PICK-1']);
  expect(readFile((await file('?search=nothing-is-called-so')).text)).toEqual([]);
});

test('more products than one chunk are all in it, each once', async () => {
  await execute(
    adminWorld.world.db,
    `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
       created_at, updated_at)
     SELECT gen_random_uuid(), 'Many', 'many-' || n, 'MANY-' || n, 'Many.', n, 'DRAFT', 0, 0, now(), now()
     FROM generate_series(1, 1500) n`,
  );
  const rows = readFile((await file('?search=MANY-')).text);
  expect([rows.length, new Set(rows.map(({ sku }) => sku)).size]).toEqual([1500, 1500]);
});

test.each([
  ['?status=GONE', 'status'],
  ['?categoryId=x', 'categoryId'],
])('400 VALIDATION_ERROR is JSON as everywhere: %s', async (query, field) => {
  const answer = await file(query);
  expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
  expect(answer.headers['content-disposition']).toBeUndefined();
});
