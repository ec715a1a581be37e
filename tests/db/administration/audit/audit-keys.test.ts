import { requireAuditKeys } from '../../../../db/administration/audit/audit-keys.reads';
import { keepAuditHead } from '../../../../db/administration/audit/audit-head.writes';
import { KeyRing, type SealingKey } from '../../../../db/sealing/key-ring';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { pastTriggers, record, recordMany } from './audit.world';

const own = ownDatabase();
const test1: SealingKey = { id: 'test', key: Buffer.alloc(32, 8) };
const added: SealingKey = { id: 'added', key: Buffer.alloc(32, 9) };
const madeUp: SealingKey = { id: 'made-up', key: Buffer.alloc(32, 1) };
const under = (...keys: [SealingKey, ...SealingKey[]]): Db => ({ ...own.db, keys: new KeyRing(keys) });
const refused = (db: Db) => expect(requireAuditKeys(db)).rejects;

beforeEach(() => pastTriggers(own.owner, 'TRUNCATE audit_records, audit_heads'));

test('any key may begin a trail', async () => {
  await expect(requireAuditKeys(under(madeUp))).resolves.toBeUndefined();
});

test('a ring without the key of the newest record, or with another key of its name, is refused', async () => {
  await recordMany(own.db, 2);
  await refused(under(madeUp)).toThrow(/SEALING_KEYS.*test/);
  await refused(under({ ...madeUp, id: 'test' }, added)).toThrow(/SEALING_KEYS.*test/);
  await expect(requireAuditKeys(under(test1))).resolves.toBeUndefined();
});

test('the head that was kept counts too', async () => {
  await recordMany(own.db, 2);
  await inTransaction(under(added, test1), (tx) => keepAuditHead(tx, new Date()));
  await refused(under(test1)).toThrow(/SEALING_KEYS.*added/);
  await expect(requireAuditKeys(under(test1, added))).resolves.toBeUndefined();
});

test('a key is appended, moved to the front, and stays on the ring', async () => {
  await record(own.db);
  await expect(requireAuditKeys(under(test1, added))).resolves.toBeUndefined();
  await record(under(added, test1));
  await expect(requireAuditKeys(under(test1, added))).resolves.toBeUndefined();
  await refused(under(test1)).toThrow(/SEALING_KEYS.*added/);
});

test('a record that was altered is for the check of the trail to tell, while the head proves the key', async () => {
  await recordMany(own.db, 2);
  await inTransaction(own.db, (tx) => keepAuditHead(tx, new Date()));
  await pastTriggers(own.owner, `UPDATE audit_records SET action = 'other'`);
  await expect(requireAuditKeys(own.db)).resolves.toBeUndefined();
});
