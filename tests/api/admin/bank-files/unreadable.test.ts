import { KeyRing } from '../../../../db/sealing/key-ring';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { execute, rows } from '../../../../db/sql/query';
import { collected, filed, idOf } from '../../../support/builders/payouts/bank-files';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

const lines: string[] = [];
let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({ lines, variables: { LOG_LEVEL: 'error' } });
});
afterAll(() => staff.world.teardown());
beforeEach(async () => {
  lines.length = 0;
  await execute(staff.world.db, `DELETE FROM bank_file_transfers WHERE status = 'COLLECTED'`);
});

/** A key that was taken off the ring too early. */
const gone = new KeyRing([{ id: 'gone', key: Buffer.alloc(32, 9) }]);
const make = () => staff.ask('post', '/admin/bank-files');

/** A collected transfer that cannot be opened; answers its id. */
async function unreadable(currency?: string): Promise<string> {
  const [name] = await collected(staff.world.db, [100], currency);
  const id = idOf(name!);
  const destination = gone.seal(Buffer.from('{}'), sealPurposes.bankFileTransfer(id));
  await execute(staff.world.db, 'UPDATE bank_file_transfers SET destination = $2 WHERE id = $1', [
    ...[id, destination],
  ]);
  return id;
}

/** Puts so many that cannot be opened before all others. */
const unreadableOnes = (count: number): Promise<number> =>
  execute(
    staff.world.db,
    `INSERT INTO bank_file_transfers (id, key, amount_minor, currency, destination, status, created_at)
     SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'lost:' || n, 1, 'USD', '\\x00', 'COLLECTED', now()
     FROM generate_series(1, $1) AS n`,
    [count],
  );

test('a transfer that cannot be opened is left out of files, counted and logged; the others go', async () => {
  const lost = await unreadable('USD');
  const [name] = await collected(staff.world.db, [250], 'USD');
  const { status, body } = await make();
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ transfers: 1, amount: 2.5, currency: 'USD', unreadable: 1, left: 1 });
  expect(lines.filter((line) => line.includes('could not be opened')).join()).toContain(lost);
  const { text } = await staff.ask('get', `/admin/bank-files/${String(body.data.id)}/file`);
  expect(text).toContain(name);
  expect(
    await rows(staff.world.db, 'SELECT status, file_id FROM bank_file_transfers WHERE id = $1', [lost]),
  ).toEqual([{ status: 'COLLECTED', fileId: null }]);
});

test('a currency of which none can be opened does not hold up the others', async () => {
  await unreadable('USD');
  await collected(staff.world.db, [300], 'EUR');
  expect((await make()).body.data).toMatchObject({ currency: 'EUR', transfers: 1, unreadable: 1, left: 1 });
});

test('none can be opened: refused, with their ids in the log', async () => {
  const lost = await unreadable();
  const answer = await make();
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(answer.body.error.reason).toBe('TRANSFERS_UNREADABLE');
  expect(lines.join()).toContain(lost);
});

test('thousands that cannot be opened do not hide those that can', async () => {
  await unreadableOnes(2_500);
  await collected(staff.world.db, [400], 'USD');
  expect((await make()).body.data).toMatchObject({ transfers: 1, amount: 4, unreadable: 2_500, left: 2_500 });
});

test('so many that the search ends: refused, and no request is held up by them', async () => {
  await unreadableOnes(10_001);
  await collected(staff.world.db, [400], 'USD');
  const answer = await make();
  expect(answer.body.error.reason).toBe('TRANSFERS_UNREADABLE');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(10_000);
});

test('a file that cannot be opened: PROVIDER_NOT_CONFIGURED until its key is back, and not recorded as read', async () => {
  const { fileId } = await filed(staff.world.db);
  const kept = await rows<{ content: Buffer }>(
    staff.world.db,
    'SELECT content FROM bank_files WHERE id = $1',
    [fileId],
  );
  const keep = (content: Buffer) =>
    execute(staff.world.db, 'UPDATE bank_files SET content = $2 WHERE id = $1', [fileId, content]);
  await keep(gone.seal(Buffer.from('<xml/>'), sealPurposes.bankFile(fileId)));
  const saved = () => staff.ask('get', `/admin/bank-files/${fileId}/file`);
  const answer = await saved();
  expect(outcomeOf(answer)).toBe('503 PROVIDER_NOT_CONFIGURED');
  expect(answer.body.error.message).toContain('SEALING_KEYS');
  await keep(kept[0]!.content);
  expect((await saved()).status).toBe(200);
  const reads = await rows(
    staff.world.db,
    `SELECT 1 FROM audit_records WHERE entity_id = $1 AND action = 'bank-file.read'`,
    [fileId],
  );
  expect(reads).toHaveLength(1);
});
