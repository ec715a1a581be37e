import { execute, firstRow, rows } from '../../../../../db/sql/query';
import { given } from '../../../../support/builders/given';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';
import { readFile } from '../../products/file/files';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const file = (query = '', token?: string | null) =>
  adminWorld.ask('get', `/admin/orders/export${query}`, undefined, token);

test('200: a download with a row per order, newest first, with what is needed to pack and to account for it', async () => {
  const { db } = adminWorld.world;
  const older = await given(db).order({ discountBp: 0 });
  const sent = await given(db).order({ discountBp: 0, method: 'BALANCE' }).paid().shipped();
  await execute(
    db,
    `UPDATE orders SET created_at = created_at + interval '1 hour', shipping_address = shipping_address
       || '{"recipientName": "Ada, \\"the first\\"", "street": "Ring 1", "phone": "+4930123456"}' WHERE id = $1`,
    [sent.orderId],
  );
  await execute(db, `UPDATE shipments SET tracking_number = '=1+1' WHERE order_id = $1`, [sent.orderId]);
  await execute(db, `UPDATE order_items SET sku = 'LAMP-1' WHERE order_id = $1`, [sent.orderId]);

  const { status, headers, text } = await file();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toMatch(/^attachment; filename=orders-\d{4}-\d\d-\d\d\.csv$/);
  expect(headers['cache-control']).toBe('no-store');
  expect(text.split('\r\n')[0]).toBe(
    '\uFEFForderNumber,id,createdAt,updatedAt,status,paymentStatus,paymentMethod,paidAt,userId,email,name,items,subtotal,' +
      'discount,shipping,tax,total,saleReversed,currency,shippingMethod,carrier,trackingNumber,shippedAt,deliveredAt,' +
      'recipientName,street,postalCode,city,region,country,phone',
  );
  const [first, second, ...more] = readFile(text);
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    id: sent.orderId,
    status: 'SHIPPED',
    paymentStatus: 'PAID',
    paymentMethod: 'BALANCE',
    userId: sent.userId,
    name: 'Ada Lovelace',
    items: '2 x LAMP-1',
    subtotal: '50',
    discount: '0',
    shipping: '5',
    total: '55',
    saleReversed: '0',
    currency: 'USD',
    trackingNumber: "'=1+1",
    recipientName: 'Ada, "the first"',
    street: 'Ring 1',
    phone: "'+4930123456",
  });
  expect(Date.parse(first!['shippedAt']!)).not.toBeNaN();
  expect(second).toMatchObject({
    id: older.orderId,
    status: 'PENDING_PAYMENT',
    paidAt: '',
    trackingNumber: '',
  });
});

test('it has the orders of the list’s filter, each once, however many reads that takes', async () => {
  const { db } = adminWorld.world;
  const { orderId } = await given(db).order();
  const copies = 1_001;
  // Many of one moment, so that only the id tells their places apart.
  await execute(
    db,
    `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
       'number', 'ORD-2019-' || n, 'created_at', timestamptz '2019-05-01' + (n / 400) * interval '1 second'))).*
     FROM orders o, generate_series(1, ${copies}) n WHERE o.id = $1`,
    [orderId],
  );
  const wanted = await firstRow<{ numbers: string[] }>(
    db,
    `SELECT array_agg(number ORDER BY created_at DESC, id DESC) AS numbers FROM orders WHERE created_at < '2020-01-01'`,
  );
  const numbersOf = async (query: string) =>
    readFile((await file(query)).text).map((row) => row['orderNumber']);
  expect(await numbersOf('?dateTo=2019-12-31')).toEqual(wanted!.numbers);
  expect(await numbersOf('?search=ORD-2019-7')).toHaveLength(
    wanted!.numbers.filter((number) => number.startsWith('ORD-2019-7')).length,
  );
  expect(await numbersOf('?dateTo=2019-12-31&status=PAID,SHIPPED')).toEqual([]);
});

test('a filter that the list refuses, and who is no administrator: VALIDATION_ERROR, FORBIDDEN, UNAUTHORIZED', async () => {
  expect(outcomeOf(await file('?status=OPEN'))).toBe('400 VALIDATION_ERROR');
  expect(outcomeOf(await file('', adminWorld.tokens.user))).toBe('403 FORBIDDEN');
  expect(outcomeOf(await file('', null))).toBe('401 UNAUTHORIZED');
});

const recorded = () =>
  rows<{ next: object }>(
    adminWorld.world.db,
    `SELECT next FROM audit_records WHERE action = 'order.export' ORDER BY sequence`,
  );

test('an export is recorded with its filter, but not with the words of its search', async () => {
  const before = (await recorded()).length;
  expect((await file('?status=PAID&search=berta%40example.com', adminWorld.tokens.superAdmin)).status).toBe(
    200,
  );
  const [record, ...more] = (await recorded()).slice(before);
  expect(more).toEqual([]);
  expect(record!.next).toEqual({ statuses: ['PAID'], isSearch: true });
});

test('HEAD exports nothing', async () => {
  const before = (await recorded()).length;
  const { status, headers } = await adminWorld.world.http
    .head('/api/v1/admin/orders/export')
    .auth(adminWorld.tokens.superAdmin, { type: 'bearer' });
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(await recorded()).toHaveLength(before);
});

test.each(['/admin/orders/export?statuss=PAID', '/admin/products/export?statuss=ACTIVE'])(
  'a misspelled filter is refused, since a file cannot name it: %s',
  async (path) => {
    const refused = await adminWorld.ask('get', path, undefined, adminWorld.tokens.superAdmin);
    expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
    expect(refused.body.error.details).toEqual({ statuss: ['is not known'] });
  },
);
