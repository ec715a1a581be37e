import { make } from '../../../../support/builders/make';
import { picture } from '../../../users/pictures';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { fileOf, newRow, outcomesOf, sendFile } from './files';
import { refusalOf } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

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
    ['category', { category: 'nowhere' }],
    ['width', { length: '1', width: '', height: '2' }],
    ['sku', { sku: '' }],
    ['sku', { sku: 'x'.repeat(65) }],
    ['commissionPercentage', { commissionPercentage: '101' }],
  ])('%s: %p', async (column, cells) => {
    const answer = await send(fileOf([newRow('REFUSED', cells)]));
    expect([answer.status, outcomesOf(answer)]).toEqual([200, [[2, 'REFUSED', [column]]]]);
  });

  test('for the SKU of a variant, a SKU twice in the file, or other cells than the header', async () => {
    const product = await make.product(adminWorld.world.db);
    const variant = await make.variant(adminWorld.world.db, product.id);
    const file = fileOf([newRow(variant.sku), newRow('TWICE'), newRow('TWICE', { price: '11' })]);
    const answer = await send(`${file}\n,,\nSHORT,Thing\n${','.repeat(6)}\n`);
    expect(outcomesOf(answer)).toEqual([
      [2, 'REFUSED', ['sku']],
      [3, 'CREATED', []],
      [4, 'REFUSED', ['sku']],
      [7, 'REFUSED', ['row']],
    ]);
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
    expect(refusalOf(await send(file))).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: ['file'] });
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

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  for (const [token, said] of [
    [null, '401 UNAUTHORIZED'],
    [adminWorld.tokens.user, '403 FORBIDDEN'],
  ] as const)
    expect(outcomeOf(await adminWorld.ask('post', '/admin/products/import', {}, token))).toBe(said);
});
