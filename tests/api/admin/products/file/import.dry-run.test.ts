import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { held, waiting } from '../../../../support/checks/held-locks';
import { violations } from '../../../../support/checks/violations';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, keptProduct, movementsOf, refusalOf } from '../product-requests';
import { fileOf, newRow, sendFile } from './files';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const send = (file: string | Buffer, query = '') =>
  sendFile(adminWorld, file, adminWorld.tokens.admin, query);
const rehearse = (file: string | Buffer) => send(file, '?dryRun=true');

/** Everything that an import could have changed. */
const state = () =>
  firstRow(
    adminWorld.world.db,
    `SELECT (SELECT json_agg(p ORDER BY p.id)::text FROM products p) AS products,
       (SELECT json_agg(m ORDER BY m.id)::text FROM stock_movements m) AS movements,
       (SELECT count(*)::int FROM audit_records) AS audits`,
  );

describe('all faults of a row are said at once', () => {
  test('of a new product, with what is missing', async () => {
    const answer = await send(
      'sku;name;price;status;category;stockCount;tags;attributes;length\nFAULTY;;-1;LIVE;nowhere;1,5;a,,b;steel;22\n',
    );
    const { outcome, errors } = answer.body.data.rows[0];
    expect([outcome, Object.keys(errors).sort()]).toEqual([
      'REFUSED',
      [
        'attributes',
        'careerPointsPercentage',
        'category',
        'commissionPercentage',
        'description',
        'height',
        'name',
        'price',
        'status',
        'stockCount',
        'tags',
        'width',
      ],
    ]);
    expect(errors).toMatchObject({
      name: ['is required'],
      price: ['must be at least 0'],
      status: ['must be one of ACTIVE, DRAFT, ARCHIVED'],
      stockCount: ['must be a whole number'],
      commissionPercentage: ['is required'],
      height: ['is required'],
      category: ['must be the slug of a category'],
      attributes: ['must be JSON like {"material":"steel"}'],
    });
  });

  test('of a known product, with a SKU that is in the file already', async () => {
    await make.product(adminWorld.world.db, { sku: 'KNOWN-FAULTS' });
    const answer = await send('sku,name,price\nKNOWN-FAULTS,Fine,25\nKNOWN-FAULTS,,ten\n');
    expect(answer.body.data.rows[1]).toMatchObject({ row: 3, outcome: 'REFUSED' });
    expect(Object.keys(answer.body.data.rows[1].errors).sort()).toEqual(['name', 'price', 'sku']);
  });

  test('with the SKU of a variant or of a deleted product', async () => {
    const { db } = adminWorld.world;
    const variant = await make.variant(db, (await make.product(db)).id);
    const gone = await make.product(db, { sku: 'GONE-FAULTS' });
    await adminWorld.ask('delete', `/admin/products/${gone.id}`);
    const answer = await send(
      fileOf([newRow(variant.sku, { price: 'ten' }), newRow(gone.sku, { price: 'ten' })]),
    );
    expect(answer.body.data.rows.map(({ errors }: { errors: object }) => errors)).toMatchObject([
      { sku: ['belongs to a variant; files change products only'], price: ['must be a number'] },
      { sku: ['belongs to a deleted product; restore it first'], price: ['must be a number'] },
    ]);
  });

  test('but a row with content under no column only says that', async () => {
    const answer = await send('sku,price,\nLONG,ten,,x\n');
    expect(answer.body.data.rows[0].errors).toEqual({ row: ['has content in column 4, which has no name'] });
  });
});

describe('POST /admin/products/import?dryRun=true', () => {
  afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));

  test('says what the import then does, and changes and records nothing', async () => {
    const { db } = adminWorld.world;
    const lamps = await make.category(db, { slug: 'dry-lamps' });
    const known = await make.product(db, { sku: 'DRY-KNOWN', stock: 5, categoryId: lamps.id });
    const description = 'It does what it says.';
    await make.product(db, { sku: 'DRY-SAME', name: 'Thing DRY-SAME', priceMinor: 1_000, description });
    await make.category(db, { slug: 'dry-desks' });
    const file = fileOf([
      { sku: 'DRY-NEW', ...cells({ description: 'New.', stockCount: '3' }) },
      { sku: 'DRY-KNOWN', ...cells({ category: 'dry-desks', stockCount: '8' }) },
      { sku: 'DRY-SAME', ...cells({}), name: 'Thing DRY-SAME', price: '10' },
      { sku: 'DRY-BAD', ...cells({ category: 'nowhere' }) },
    ]);
    const before = await state();
    const planned = await rehearse(file);
    expect(planned.status).toBe(200);
    expect(await state()).toEqual(before);
    expect((await rehearse(file)).body.data).toEqual(planned.body.data);

    expect(planned.body.data).toMatchObject({
      dryRun: true,
      rows: [
        {
          ...{ row: 2, sku: 'DRY-NEW', outcome: 'CREATED', productId: null },
          ...{ changes: null, errors: null, hint: null },
        },
        {
          row: 3,
          outcome: 'UPDATED',
          productId: known.id,
          changes: {
            name: { to: 'Thing' },
            price: { from: '25', to: '12.5' },
            category: { from: 'dry-lamps', to: 'dry-desks' },
            stockCount: { from: '5', to: '8' },
          },
        },
        { row: 5, outcome: 'REFUSED', errors: { category: ['must be the slug of a category'] } },
      ],
      summary: { total: 4, created: 1, updated: 1, unchanged: 1, refused: 1 },
    });

    const done = await send(file);
    expect(done.body.data).toEqual({
      ...planned.body.data,
      dryRun: false,
      rows: planned.body.data.rows.map((row: object, i: number) =>
        i === 0 ? { ...row, productId: done.body.data.rows[0].productId } : row,
      ),
    });
    expect(await auditsOf(db, known.id)).toHaveLength(1);
  });

  const cells = (some: Record<string, string>): Record<string, string> => ({
    name: 'Thing',
    price: '12.5',
    category: '',
    description: 'It does what it says.',
    status: 'ACTIVE',
    stockCount: '',
    commissionPercentage: '10',
    careerPointsPercentage: '100',
    ...some,
  });

  test('locks one row at a time: a sale or change of another product does not wait for it', async () => {
    const { db } = adminWorld.world;
    const [first, second] = [
      await make.product(db, { sku: 'LOCK-1', stock: 5 }),
      await make.product(db, { sku: 'LOCK-2', stock: 5 }),
    ];
    const hold = await held(db, `SELECT id FROM products WHERE id = '${second.id}' FOR UPDATE`);
    const planned = rehearse('sku,price,stockCount\nLOCK-1,11,6\nLOCK-2,12,7\n').then((answer) => answer);
    await waiting(db, 1);
    const change = await adminWorld.ask('patch', `/admin/products/${first.id}`, {
      stockQuantity: 9,
      price: 9,
    });
    expect(outcomeOf(change)).toBe('200');
    await hold.release();
    expect((await planned).body.data.summary).toMatchObject({ updated: 2 });
    expect(await keptProduct(db, second.id)).toMatchObject({ priceMinor: 2500 });
    expect((await movementsOf(db, first.id)).map(({ kind }) => kind)).toEqual(['INITIAL', 'ADJUST']);
  });

  describe('a dry run that was asked for in another way imports nothing', () => {
    const form = (sku: string, fields: Record<string, string>, query: string) =>
      adminWorld.world.http
        .post(`/api/v1/admin/products/import${query}`)
        .auth(adminWorld.tokens.admin, { type: 'bearer' })
        .field(fields)
        .attach('file', Buffer.from(`sku,price\n${sku},11\n`), 'products.csv');

    test.each<[string, Record<string, string>, string]>([
      ['as a field of the form', { dryRun: 'true' }, ''],
      ['as a field against the query', { dryRun: 'true' }, '?dryRun=false'],
      ['in the query against the field', { dryRun: 'false' }, '?dryRun=true'],
    ])('%s', async (what, fields, query) => {
      const { id, sku } = await make.product(adminWorld.world.db, { sku: what, priceMinor: 2_500 });
      const { body } = await form(sku, fields, query);
      expect([body.data.dryRun, body.data.summary.updated]).toEqual([true, 1]);
      expect(await keptProduct(adminWorld.world.db, id)).toMatchObject({ priceMinor: 2500 });
    });

    test('400 VALIDATION_ERROR for a query parameter or field that is not known', async () => {
      const { sku } = await make.product(adminWorld.world.db, { sku: 'NOT-DRY' });
      const before = await state();
      for (const [fields, query, named] of [
        [{}, '?dryrun=true', ['dryrun']],
        [{}, '?dryRun=true&dry=1', ['dry']],
        [{ dry_run: 'true' }, '', ['dry_run']],
        [{ file: 'x' }, '?dryRun=false', ['file']],
        [{ dryRun: 'yes' }, '', ['dryRun']],
      ] as const)
        expect(refusalOf(await form(sku, fields, query))).toEqual({
          ...{ status: 400, code: 'VALIDATION_ERROR' },
          fields: named,
        });
      expect(await state()).toEqual(before);
    });
  });

  test('the same limits: 413 FILE_TOO_LARGE, 400 INVALID_FILE_TYPE and VALIDATION_ERROR', async () => {
    expect(outcomeOf(await rehearse(Buffer.alloc(5 * 1024 * 1024 + 1, 'a')))).toBe('413 FILE_TOO_LARGE');
    expect(outcomeOf(await rehearse('sku\n\u0000\n'))).toBe('400 INVALID_FILE_TYPE');
    expect(refusalOf(await send('sku\nA\n', '?dryRun=maybe'))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['dryRun'],
    });
  });
});

test('prices are corrected by a file from a German Excel, first as a dry run', async () => {
  const { db } = adminWorld.world;
  const lamp = await make.product(db, { sku: 'LAMPE-1', name: 'Tischlampe', priceMinor: 2_490 });
  const shade = await make.product(db, { sku: 'SCHIRM-1', name: 'Schirm', priceMinor: 1_200 });
  const file = '\uFEFFSKU;Price\r\nLAMPE-1;22,90\r\nSCHIRM-1;1.100\r\nLAMPE-9;5\r\n';

  const planned = (await rehearse(file)).body.data;
  expect(planned.summary).toEqual({ total: 3, created: 0, updated: 1, unchanged: 0, refused: 2 });
  expect(planned.rows[0].changes).toEqual({ price: { from: '24.9', to: '22.9' } });
  expect(planned.rows[1].errors).toEqual({ price: ['is ambiguous: write 1100 or 1.10'] });
  expect(Object.keys(planned.rows[2].errors)).toContain('description');

  const corrected = file.replace('1.100', '11,00').replace('LAMPE-9;5\r\n', '');
  expect((await rehearse(corrected)).body.data.summary).toMatchObject({ updated: 2, refused: 0 });
  expect(await keptProduct(db, lamp.id)).toMatchObject({ priceMinor: 2490 });
  expect((await send(corrected)).body.data.summary).toMatchObject({ updated: 2, refused: 0 });
  expect(await keptProduct(db, lamp.id)).toMatchObject({ priceMinor: 2290, name: 'Tischlampe' });
  expect(await keptProduct(db, shade.id)).toMatchObject({ priceMinor: 1100 });
  const again = (await send(corrected)).body.data;
  expect([again.rows, again.summary.unchanged]).toEqual([[], 2]);
});
