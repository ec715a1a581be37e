import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { recordAudit, type Change } from '../../../../db/administration/audit/audit.writes';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import {
  change,
  pastTriggers as pastTriggersOf,
  record as recordIn,
  recordIds,
  recordMany as recordManyIn,
} from './audit.world';

const own = ownDatabase();

beforeEach(() => pastTriggers('TRUNCATE audit_records'));

const record = (more?: Partial<Change>) => recordIn(own.db, more);
const recordMany = (count: number) => recordManyIn(own.db, count);
const ids = () => recordIds(own.db);
const pastTriggers = (statement: string, bind?: unknown[]) => pastTriggersOf(own.owner, statement, bind);

test('an empty trail and a written one are in order, in batches of any size', async () => {
  expect(await verifyAuditChain(own.db)).toEqual({ valid: true, checked: 0, brokenAt: null });
  await recordMany(6);
  await record({ actorId: null, previous: null, next: undefined, clientAddress: null });
  for (const batch of [1, 2, 7, 1_000]) {
    expect(await verifyAuditChain(own.db, batch)).toEqual({ valid: true, checked: 7, brokenAt: null });
  }
});

test('a change that is rolled back leaves no record and no gap in the chain', async () => {
  await record();
  const failing = inTransaction(own.db, async (tx) => {
    await recordAudit(tx, change());
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  await record();
  expect(await verifyAuditChain(own.db)).toMatchObject({ valid: true, checked: 2 });
});

test('many writers at once make one unbroken chain', async () => {
  await Promise.all(Array.from({ length: 60 }, () => record()));
  expect(await verifyAuditChain(own.db)).toEqual({ valid: true, checked: 60, brokenAt: null });
});

test.each([
  'UPDATE audit_records SET action = entity_id',
  'DELETE FROM audit_records',
  'TRUNCATE audit_records',
])('the database refuses %s', async (statement) => {
  await record();
  await expect(execute(own.db, statement)).rejects.toThrow('permission denied for table audit_records');
  await expect(execute(own.owner, statement)).rejects.toThrow('audit_records is append-only');
  expect(await verifyAuditChain(own.db)).toMatchObject({ valid: true, checked: 1 });
});

test.each([
  `action = 'user.praise'`,
  `actor_id = NULL`,
  `entity_type = 'order'`,
  `entity_id = 'another'`,
  `previous = '{"status": "BANNED"}'`,
  `next = next || '{"until": null}'`,
  `client_address = '2001:db8::2'`,
  `created_at = created_at - interval '1 millisecond'`,
  `previous_hash = repeat('0', 64)`,
  `hash = repeat('f', 64)`,
])('a record altered past the triggers is named: %s', async (assignment) => {
  await recordMany(5);
  const third = (await ids())[2]!;
  expect(await pastTriggers(`UPDATE audit_records SET ${assignment} WHERE id = $1`, [third])).toBe(1);
  expect(await verifyAuditChain(own.db, 2)).toEqual({ valid: false, checked: 2, brokenAt: third });
});

test('a record that is gone, or stands elsewhere, breaks the chain where it is missed', async () => {
  await recordMany(5);
  const [first, second, third] = await ids();
  expect(await pastTriggers('DELETE FROM audit_records WHERE id = $1', [second])).toBe(1);
  expect(await verifyAuditChain(own.db)).toEqual({ valid: false, checked: 1, brokenAt: third });
  expect(await pastTriggers('DELETE FROM audit_records WHERE id = $1', [first])).toBe(1);
  expect(await verifyAuditChain(own.db)).toEqual({ valid: false, checked: 0, brokenAt: third });
});
