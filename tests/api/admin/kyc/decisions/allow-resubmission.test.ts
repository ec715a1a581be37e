import { randomUUID } from 'node:crypto';
import { execute, rows } from '../../../../../db/sql/query';
import { insert } from '../../../../support/builders/make/insert';
import { signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { recordsOf } from '../../records';
import { verificationIn } from '../cases';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld({ worker: false });
});
afterAll(() => desk.world.teardown());

const allow = (id: string, token = desk.tokens.admin) =>
  desk.ask('post', `/admin/kyc/${id}/allow-resubmission`, undefined, token);

const tried = (userId: string, tries = 3) =>
  insert(desk.world.db, 'kyc_document_tries', { user_id: userId, type: 'PASSPORT', tries, uploads: 2 });
const triesOf = (userId: string) =>
  rows<{ tries: number; uploads: number }>(
    desk.world.db,
    'SELECT tries, uploads FROM kyc_document_tries WHERE user_id = $1',
    [userId],
  );
const eventsOf = (id: string) =>
  rows<{ action: string; performedBy: string }>(
    desk.world.db,
    'SELECT action, performed_by FROM kyc_history WHERE kyc_id = $1',
    [id],
  );

const final = { status: 'REJECTED', canResubmit: false } as const;

describe('POST /admin/kyc/:id/allow-resubmission', () => {
  test('gives all tries back and lifts a final rejection, once; the same again answers the same', async () => {
    const { id, user } = await verificationIn(desk.world, final);
    await tried(user.id);
    const first = await allow(id);
    expect(first.body).toEqual({ success: true, data: { id, status: 'REJECTED', canResubmit: true } });
    expect(await triesOf(user.id)).toEqual([{ tries: 0, uploads: 0 }]);
    const again = await Promise.all([allow(id), allow(id, desk.tokens.superAdmin)]);
    for (const answer of again) expect(answer.body).toEqual(first.body);
    expect(await eventsOf(id)).toEqual([{ action: 'RESUBMISSION_ALLOWED', performedBy: desk.admin.id }]);
    expect(await recordsOf(desk, 'kyc', id)).toEqual([
      {
        actorId: desk.admin.id,
        action: 'kyc.allow-resubmission',
        previous: { canResubmit: false },
        next: { canResubmit: true },
      },
    ]);
    const shown = await desk.ask('get', `/admin/kyc/${id}`);
    expect(shown.body.data).toMatchObject({ canResubmit: true, status: 'REJECTED' });
  });

  test('two at once are recorded once', async () => {
    const { id, user } = await verificationIn(desk.world, final);
    await tried(user.id);
    const answers = await Promise.all([allow(id), allow(id, desk.tokens.superAdmin), allow(id)]);
    expect(answers.map(outcomeOf)).toEqual(['200', '200', '200']);
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await recordsOf(desk, 'kyc', id)).toHaveLength(1);
  });

  test('reaches every verification of the user, and the tries where nothing was final', async () => {
    const early = await verificationIn(desk.world, final);
    const { id } = await verificationIn(desk.world, { ...final, user: early.user });
    expect(outcomeOf(await allow(early.id))).toBe('200');
    expect((await desk.ask('get', `/admin/kyc/${id}`)).body.data.canResubmit).toBe(true);
    const open = await verificationIn(desk.world, { status: 'DOCUMENTS_PENDING' });
    await tried(open.user.id);
    expect((await allow(open.id)).body.data).toEqual({
      ...{ id: open.id, status: 'DOCUMENTS_PENDING', canResubmit: true },
    });
    expect(await triesOf(open.user.id)).toEqual([{ tries: 0, uploads: 0 }]);
  });

  test('RESUBMISSION_NOT_ALLOWED after a suspicion of fraud, of a document or an earlier one too', async () => {
    const fraud = { ...final, rejectionReason: 'SUSPECTED_FRAUD' };
    const suspected = await verificationIn(desk.world, fraud);
    const later = await verificationIn(desk.world, { ...final, user: suspected.user });
    const byDocument = await verificationIn(desk.world, { ...final, isFraud: true });
    for (const { id, user } of [suspected, later, byDocument]) {
      await execute(desk.world.db, 'DELETE FROM kyc_document_tries WHERE user_id = $1', [user.id]);
      await tried(user.id);
      const answer = await allow(id);
      expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
      expect(answer.body.error.reason).toBe('RESUBMISSION_NOT_ALLOWED');
      expect(await triesOf(user.id)).toEqual([{ tries: 3, uploads: 2 }]);
      expect(await recordsOf(desk, 'kyc', id)).toEqual([]);
    }
  });

  test('KYC_NOT_FOUND, FORBIDDEN for an own one and for users, ACCOUNT_ERASED', async () => {
    expect(outcomeOf(await allow(randomUUID()))).toBe('404 KYC_NOT_FOUND');
    const { id, user } = await verificationIn(desk.world, final);
    expect(outcomeOf(await allow(id, await signIn(desk.world, user)))).toBe('403 FORBIDDEN');
    const own = await verificationIn(desk.world, { ...final, user: desk.admin });
    expect(outcomeOf(await allow(own.id))).toBe('403 FORBIDDEN');
    await execute(desk.world.db, 'UPDATE users SET erased_at = now(), password_hash = NULL WHERE id = $1', [
      user.id,
    ]);
    const erased = await allow(id);
    expect(erased.body.error.reason).toBe('ACCOUNT_ERASED');
  });
});
