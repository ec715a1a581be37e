import { z } from 'zod';
import { rows } from '../../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../../workers/queues';
import { violations } from '../../../../support/checks/violations';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { picture } from '../../../users/pictures';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, movementsOf, refusalOf } from '../product-requests';
import { fileOf, newRow, outcomesOf, sendFile } from './files';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });
});
afterAll(() => adminWorld.world.teardown());

describe('POST /admin/products/import', () => {
  afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));

  const send = (file: string | Buffer) => sendFile(adminWorld, file);
  const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;
  const audits = async () =>
    (await rows<{ n: number }>(adminWorld.world.db, 'SELECT count(*)::int AS n FROM audit_records'))[0]!.n;

  const Report = z.strictObject({
    dryRun: z.literal(false),
    rows: z.array(
      z.strictObject({
        row: z.int(),
        sku: z.string(),
        outcome: z.enum(['CREATED', 'UPDATED', 'REFUSED']),
        changes: z.record(z.string(), z.strictObject({ from: z.string(), to: z.string() })).nullable(),
        productId: z.uuid().nullable(),
        errors: z.record(z.string(), z.array(z.string())).nullable(),
        hint: z.string().nullable(),
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
      [3, 'REFUSED', ['price', 'category']],
      [4, 'UPDATED', []],
      [6, 'CREATED', []],
    ]);
    const [made, , changed, last] = report.map(({ productId }) => productId!);
    expect(changed).toBe(known.id);
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
});

describe('POST /admin/products/import refuses', () => {
  const send = (file: string | Buffer, token?: string | null) => sendFile(adminWorld, file, token);

  describe('a row is refused by column', () => {
    test.each<[string, Record<string, string>]>([
      ['price', { price: '1e3' }],
      ['price', { price: '' }],
      ['price', { price: '1.005' }],
      ['status', { status: 'GONE' }],
      ['status', { status: 'OUT_OF_STOCK' }],
      ['name', { name: '' }],
      ['stockCount', { stockCount: '1.5' }],
      ['stockCount', { stockCount: '99999999999' }],
      ['trackInventory', { trackInventory: 'maybe' }],
      ['attributes', { attributes: 'steel' }],
      ['attributes', { attributes: '[]' }],
      ['attributes', { attributes: '{"a":"x\\u0000"}' }],
      ['attributes', { attributes: '{"a":"\\ud800"}' }],
      ['attributes', { attributes: '{"\\u0000":"x"}' }],
      ['category', { category: 'nowhere' }],
      ['width', { length: '1', width: '', height: '2' }],
      ['sku', { sku: '' }],
      ['sku', { sku: 'x'.repeat(65) }],
      ['commissionPercentage', { commissionPercentage: '101' }],
    ])('%s: %p', async (column, cells) => {
      const answer = await send(fileOf([newRow('REFUSED', cells)]));
      expect([answer.status, outcomesOf(answer)]).toEqual([200, [[2, 'REFUSED', [column]]]]);
    });

    test('for the SKU of a variant, a SKU twice in the file, or content under no column', async () => {
      const product = await make.product(adminWorld.world.db);
      const variant = await make.variant(adminWorld.world.db, product.id);
      const file = fileOf([newRow(variant.sku), newRow('TWICE'), newRow('TWICE', { price: '11' })]);
      const answer = await send(`${file}\n,,\nLONG,Thing${','.repeat(40)}x\n${','.repeat(6)}\n`);
      expect(outcomesOf(answer)).toEqual([
        [2, 'REFUSED', ['sku']],
        [3, 'CREATED', []],
        [4, 'REFUSED', ['sku']],
        [7, 'REFUSED', ['row']],
      ]);
    });

    test('but a whole pair of escapes is a character', async () => {
      const answer = await send(fileOf([newRow('PAIR', { attributes: '{"a":"\\ud83d\\ude00"}' })]));
      expect(outcomesOf(answer)).toEqual([[2, 'CREATED', []]]);
    });

    test('but TRUE and FALSE are accepted as spreadsheets write them', async () => {
      const answer = await send(
        fileOf([
          newRow('YES', { trackInventory: 'TRUE', stockCount: '2' }),
          newRow('NO', { trackInventory: 'FALSE', stockCount: '' }),
        ]),
      );
      expect(outcomesOf(answer).map(([, outcome]) => outcome)).toEqual(['CREATED', 'CREATED']);
    });
  });

  describe('400 VALIDATION_ERROR', () => {
    test.each<[string, string]>([
      ['no header', ''],
      ['no column sku', 'name,price\na,1\n'],
      ['a column that is none', 'sku,prise\na,1\n'],
      ['__proto__ for a column', 'sku,__proto__\na,1\n'],
      ['a column twice', 'sku,price,price\na,1,2\n'],
      ['a quote that does not end', 'sku,name\nA,"never\n'],
      ['too many rows', `sku\n${'A\n'.repeat(5_001)}`],
      ['a row too long', `sku,name\nA,${'x'.repeat(300_000)}\n`],
    ])('%s', async (_what, file) => {
      expect(refusalOf(await send(file))).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        fields: ['file'],
      });
    });

    test('no file', async () => {
      const form = adminWorld.world.http
        .post('/api/v1/admin/products/import')
        .auth(adminWorld.tokens.admin, { type: 'bearer' })
        .field('note', 'x');
      expect(refusalOf(await form)).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: ['file'] });
    });
  });

  test('a header alone is an empty import', async () => {
    const { status, body } = await send('sku,name\n');
    expect([status, body.data.summary.total]).toEqual([200, 0]);
  });

  describe('400 INVALID_FILE_TYPE', () => {
    test.each<[string, () => Promise<Buffer> | Buffer]>([
      ['a picture', () => picture('png')],
      ['a spreadsheet', () => Buffer.from('PK\u0003\u0004\u0014\u0000\u0006\u0000')],
      ['another encoding', () => Buffer.from('sku,name\nA,\xfcmlaut\n', 'latin1')],
      ['NUL', () => Buffer.from('sku,name\nA,\u0000\n')],
    ])('%s', async (_what, file) => {
      expect(outcomeOf(await send(await file()))).toBe('400 INVALID_FILE_TYPE');
    });
  });

  test('413 FILE_TOO_LARGE over 5 MB', async () => {
    expect(outcomeOf(await send(Buffer.alloc(5 * 1024 * 1024 + 1, 'a')))).toBe('413 FILE_TOO_LARGE');
  });

  test('415 UNSUPPORTED_MEDIA_TYPE for bare CSV', async () => {
    const bare = adminWorld.world.http
      .post('/api/v1/admin/products/import')
      .auth(adminWorld.tokens.admin, { type: 'bearer' })
      .set('content-type', 'text/csv')
      .send('sku\nA\n');
    expect(outcomeOf(await bare)).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });
});
