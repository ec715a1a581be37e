import { z } from 'zod';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
  for (let i = 0; i < 12; i++) {
    const { id } = await make.user(adminWorld.world.db);
    expect(outcomeOf(await adminWorld.ask('patch', `/admin/users/${id}`, { note: `Note ${i}` }))).toBe('200');
  }
});
afterAll(() => adminWorld.world.teardown());

const Verified = z.strictObject({ valid: z.boolean(), checked: z.number(), brokenAt: z.uuid().nullable() });
const verify = async () => {
  const { status, body } = await adminWorld.ask('get', '/admin/audit-logs/verify');
  expect(status).toBe(200);
  return Verified.parse(body.data);
};

test('says that the trail is whole; in small batches it says the same', async () => {
  const whole = { valid: true, checked: 12, brokenAt: null };
  expect(await verify()).toEqual(whole);
  expect(await verifyAuditChain(adminWorld.world.db, 5)).toEqual(whole);
});

test('names the record that was altered in the database, or that follows a deleted one', async () => {
  const { db } = adminWorld.world;
  const ids = (await rows<{ id: string }>(db, 'SELECT id FROM audit_records ORDER BY sequence')).map(
    ({ id }) => id,
  );
  const behindOurBack = async (statement: string, bind: unknown[]): Promise<void> => {
    const { owner } = adminWorld.world;
    await execute(owner, 'ALTER TABLE audit_records DISABLE TRIGGER audit_records_no_change');
    await execute(owner, statement, bind);
    await execute(owner, 'ALTER TABLE audit_records ENABLE TRIGGER audit_records_no_change');
  };
  await behindOurBack('DELETE FROM audit_records WHERE id = $1', [ids[8]]);
  expect(await verify()).toEqual({ valid: false, checked: 8, brokenAt: ids[9] });
  await behindOurBack(`UPDATE audit_records SET next = '{}' WHERE id = $1`, [ids[4]]);
  expect(await verify()).toEqual({ valid: false, checked: 4, brokenAt: ids[4] });
});

test('is for administrators', async () => {
  const path = '/admin/audit-logs/verify';
  expect(outcomeOf(await adminWorld.ask('get', path, undefined, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await adminWorld.ask('get', path, undefined, adminWorld.tokens.user))).toBe(
    '403 FORBIDDEN',
  );
});
