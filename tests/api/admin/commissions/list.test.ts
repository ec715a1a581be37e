import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { readFile } from '../products/file/files';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let admin: AdminWorld;
beforeAll(async () => {
  admin = await startAdminWorld({ worker: false });
});
afterAll(() => admin.world.teardown());

const list = async (query: string) => (await admin.ask('get', `/admin/commissions?${query}`)).body;
const idsOf = async (query: string): Promise<string[]> =>
  (await list(query)).data.commissions.map(({ id }: { id: string }) => id);

/** Three commissions of one partner, whose id narrows every list to them. */
async function three() {
  const { db } = admin.world;
  const partnerId = (await make.partner(db)).id;
  const at = (day: number) => new Date(Date.UTC(2026, 4, day, 12));
  const pending = await make.commission(db, { partnerId, grossMinor: 500, at: at(1) });
  const held = await make.commission(db, { partnerId, type: 5, grossMinor: 900, status: 'HELD', at: at(2) });
  const paid = await make.commission(db, { partnerId, type: 8, grossMinor: 700, status: 'PAID', at: at(3) });
  return { partnerId, pending: pending.id, held: held.id, paid: paid.id };
}

test('the list is newest first, sorts by amount and status, and pages', async () => {
  const { partnerId, pending, held, paid } = await three();
  const of = (query: string) => idsOf(`partnerId=${partnerId}&${query}`);
  expect(await of('')).toEqual([paid, held, pending]);
  expect(await of('sortOrder=asc')).toEqual([pending, held, paid]);
  expect(await of('sortBy=amount')).toEqual([held, paid, pending]);
  expect(await of('sortBy=amount&sortOrder=asc&pageSize=2&page=2')).toEqual([held]);
  expect(await of('sortBy=status&sortOrder=asc')).toEqual([held, paid, pending]);
  expect(await of('sortBy=status')).toEqual([pending, paid, held]);
});

test('each filter narrows, and the summary is of the filter', async () => {
  const { partnerId, pending, held, paid } = await three();
  const of = (query: string) => idsOf(`partnerId=${partnerId}&${query}`);
  expect(await of('status=HELD')).toEqual([held]);
  expect(await of('sourceType=RANK_BONUS')).toEqual([paid]);
  expect(await of('type=5')).toEqual([held]);
  expect(await of('minAmount=7')).toEqual([paid, held]);
  expect(await of('dateFrom=2026-05-02&dateTo=2026-05-02')).toEqual([held]);
  expect(await of('dateTo=2026-05-01')).toEqual([pending]);
  const summary = { totalPending: 14, totalApproved: 0, totalPaid: 7, totalReversed: 0, isComplete: true };
  expect((await list(`partnerId=${partnerId}`)).data.summary).toEqual(summary);
  expect((await list(`partnerId=${partnerId}&status=PAID`)).data.summary).toEqual({
    ...summary,
    totalPending: 0,
  });
});

test.each([
  ...['status=OPEN', 'sourceType=ALL', 'type=4', 'partnerId=1', 'minAmount=-1', 'minAmount=1.001'],
  ...['dateFrom=yesterday', 'sortBy=id', 'sortOrder=up', 'pageSize=101', 'page=0'],
])('GET /admin/commissions?%s: VALIDATION_ERROR', async (query) => {
  const answer = await admin.ask('get', `/admin/commissions?${query}`);
  const [field] = query.split('=');
  expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
    '400 VALIDATION_ERROR',
    [field],
  ]);
});

test('what an administrator approved says by whom, until it is held', async () => {
  const made = await make.commission(admin.world.db);
  const shown = async () => (await list(`partnerId=${made.partnerId}`)).data.commissions[0];
  const adjust = (action: string) =>
    admin.ask('post', `/admin/commissions/${made.id}/adjust`, { action, reason: 'Checked.' });
  expect(await shown()).toMatchObject({ approvedBy: null, processedAt: null });
  await adjust('APPROVE');
  const approved = await shown();
  expect(approved).toMatchObject({ status: 'APPROVED', approvedBy: admin.admin.id });
  expect(Date.parse(approved.processedAt)).not.toBeNaN();
  await adjust('HOLD');
  expect(await shown()).toMatchObject({ status: 'HELD', approvedBy: null });
});

test('the export has every commission of the filter once, however many reads that takes, and is recorded', async () => {
  const { db } = admin.world;
  const made = await make.commission(db);
  const copies = 1_001;
  // Many of one moment, so that only the id tells their places apart.
  await execute(
    db,
    `INSERT INTO partner_commissions SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
       'source_id', gen_random_uuid(), 'created_at', timestamptz '2025-05-01' + (n / 400) * interval '1 second'))).*
     FROM partner_commissions c, generate_series(1, ${copies}) n WHERE c.id = $1`,
    [made.id],
  );
  const wanted = await rows<{ id: string }>(
    db,
    `SELECT id FROM partner_commissions WHERE partner_id = $1 ORDER BY created_at DESC, id DESC`,
    [made.partnerId],
  );
  const path = `/admin/commissions/export?partnerId=${made.partnerId}`;
  const answer = await admin.ask('get', path, undefined, admin.tokens.superAdmin);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(readFile(answer.text).map((row) => row['id'])).toEqual(wanted.map(({ id }) => id));
  const records = await rows<{ next: object }>(
    db,
    `SELECT next FROM audit_records WHERE action = 'commission.export'`,
  );
  expect(records).toEqual([{ next: { partnerId: made.partnerId } }]);
});
