import { z } from 'zod';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startOffice, verdict, type Office } from '../office';

let office: Office;
beforeAll(async () => {
  office = await startOffice({ worker: false });
  for (let i = 0; i < 12; i++) {
    const { id } = await make.user(office.world.db);
    expect(verdict(await office.ask('patch', `/admin/users/${id}`, { note: `Note ${i}` }))).toBe('200');
  }
});
afterAll(() => office.world.teardown());

const Verified = z.strictObject({ valid: z.boolean(), checked: z.number(), brokenAt: z.uuid().nullable() });
const verify = async () => {
  const { status, body } = await office.ask('get', '/admin/audit-logs/verify');
  expect(status).toBe(200);
  return Verified.parse(body.data);
};

test('says that the trail is whole; in small batches it says the same', async () => {
  const whole = { valid: true, checked: 12, brokenAt: null };
  expect(await verify()).toEqual(whole);
  expect(await verifyAuditChain(office.world.db, 5)).toEqual(whole);
});

test('names the record that was altered in the database, or that follows a deleted one', async () => {
  const { db } = office.world;
  const ids = (await rows<{ id: string }>(db, 'SELECT id FROM audit_records ORDER BY sequence')).map(
    ({ id }) => id,
  );
  const behindOurBack = async (statement: string, bind: unknown[]): Promise<void> => {
    const { owner } = office.world;
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
  expect(verdict(await office.ask('get', path, undefined, null))).toBe('401 UNAUTHORIZED');
  expect(verdict(await office.ask('get', path, undefined, office.tokens.user))).toBe('403 FORBIDDEN');
});
