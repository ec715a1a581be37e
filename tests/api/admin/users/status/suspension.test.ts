import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow, rows } from '../../../../../db/sql/query';
import { suspensionProcess } from '../../../../../workflows/identity/suspension/suspension.contract';
import { eventually } from '../../../../support/checks/eventually';
import { make } from '../../../../support/builders/make';
import { signIn, logIn } from '../../../../support/builders/sign-in';
import { anotherProcess } from '../../../another-process';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive'] });
});
afterAll(() => adminWorld.world.teardown());

describe('POST /admin/users/:id/suspend', () => {
  const Suspended = z.strictObject({
    userId: z.uuid(),
    status: z.literal('SUSPENDED'),
    reason: z.string(),
    suspendedAt: z.iso.datetime(),
    suspendedBy: z.uuid(),
    suspendedUntil: z.iso.datetime().nullable(),
    sessionsRevoked: z.number(),
  });

  const suspend = (id: string, body: object = { reason: 'Spam.' }, token?: string | null) =>
    adminWorld.ask('post', `/admin/users/${id}/suspend`, body, token);
  const statusOf = async (id: string) =>
    (await firstRow<{ status: string }>(adminWorld.world.db, 'SELECT status FROM users WHERE id = $1', [id]))!
      .status;
  const opens = async (http: Pick<typeof adminWorld.world.http, 'get'>, token: string) =>
    (await http.get('/api/v1/users/me/addresses').auth(token, { type: 'bearer' })).status;

  test('ends all sessions at once, in every API process, and says how many there were', async () => {
    const user = await make.user(adminWorld.world.db);
    const tokens = [await signIn(adminWorld.world, user), await signIn(adminWorld.world, user)];
    const other = anotherProcess(adminWorld.world);
    for (const http of [adminWorld.world.http, other.http])
      for (const token of tokens) expect(await opens(http, token)).toBe(200);

    const answer = await suspend(user.id, { reason: 'Chargebacks.', duration: 3 });
    expect(answer.status).toBe(200);
    for (const http of [adminWorld.world.http, other.http])
      for (const token of tokens) expect(await opens(http, token)).toBe(401);
    await other.close();

    const suspended = Suspended.parse(answer.body.data);
    expect(suspended).toMatchObject({
      userId: user.id,
      reason: 'Chargebacks.',
      suspendedBy: adminWorld.admin.id,
      sessionsRevoked: 2,
    });
    const days = (Date.parse(suspended.suspendedUntil!) - Date.parse(suspended.suspendedAt)) / 86_400_000;
    expect(days).toBe(3);
    const login = await adminWorld.world.http.post('/api/v1/auth/login').send(user);
    expect(outcomeOf(login)).toBe('403 ACCOUNT_SUSPENDED');
  });

  test('without a duration it has no end, and the reason is in the audit record, not in the process', async () => {
    const user = await make.user(adminWorld.world.db);
    const { body } = await suspend(user.id, { reason: 'A reason to look for', duration: null });
    expect(Suspended.parse(body.data).suspendedUntil).toBeNull();
    const record = await firstRow<object>(
      adminWorld.world.db,
      `SELECT action, actor_id, next ->> 'reason' AS reason, client_address IS NOT NULL AS located
       FROM audit_records WHERE entity_id = $1`,
      [user.id],
    );
    expect(record).toEqual({
      action: 'user.suspend',
      actorId: adminWorld.admin.id,
      reason: 'A reason to look for',
      located: true,
    });
    const handle = adminWorld.world.temporal.workflow.getHandle(suspensionProcess.id({ userId: user.id }));
    const history = JSON.stringify(await handle.fetchHistory(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
    );
    expect(history).toContain(user.id);
    expect(history).not.toContain('A reason to look for');
    expect(history).not.toContain(user.email);
  });

  test('mails the user only if requested', async () => {
    const [notified, other] = [await make.user(adminWorld.world.db), await make.user(adminWorld.world.db)];
    await suspend(notified.id, { reason: 'Spam.', notifyUser: true });
    await suspend(other.id);
    const mails = await rows<{ recipient: string }>(
      adminWorld.world.db,
      'SELECT recipient FROM outbox_messages WHERE recipient = ANY ($1)',
      [[notified.email, other.email]],
    );
    expect(mails).toEqual([{ recipient: notified.email }]);
  });

  test('the same Idempotency-Key gets the same answer, and it is done once', async () => {
    const user = await make.user(adminWorld.world.db);
    const ask = () =>
      adminWorld.world.http
        .post(`/api/v1/admin/users/${user.id}/suspend`)
        .auth(adminWorld.tokens.admin, { type: 'bearer' })
        .set('idempotency-key', `suspend-${user.id}`)
        .send({ reason: 'Spam.', duration: 1 });
    const first = await ask();
    expect(first.status).toBe(200);
    expect((await ask()).body).toEqual(first.body);
    await execute(
      adminWorld.world.db,
      `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE key = $1`,
      [`suspend-${user.id}`],
    );
    const repeated = await ask();
    expect(repeated.body).toEqual(first.body);
  });

  test('ALREADY_SUSPENDED for all but one of those who suspend at once', async () => {
    const user = await make.user(adminWorld.world.db);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => suspend(user.id).then(outcomeOf)));
    expect(outcomes.sort()).toEqual(['200', ...Array<string>(5).fill('400 ALREADY_SUSPENDED')]);
  });

  test('a user who signs in at the same time is signed out, or is refused', async () => {
    const user = await make.user(adminWorld.world.db);
    const [, ...logins] = await Promise.all([
      suspend(user.id),
      ...Array.from({ length: 6 }, () => adminWorld.world.http.post('/api/v1/auth/login').send(user)),
    ]);
    for (const { status, body } of logins)
      if (status === 200) expect(await opens(adminWorld.world.http, body.data.accessToken)).toBe(401);
      else expect(body.error.code).toBe('ACCOUNT_SUSPENDED');
    const live = await rows(
      adminWorld.world.db,
      'SELECT 1 FROM sessions WHERE user_id = $1 AND revoked_at IS NULL',
      [user.id],
    );
    expect(live).toEqual([]);
  });

  test('CANNOT_SUSPEND_ADMIN for administrators, oneself among them', async () => {
    for (const { id } of [adminWorld.admin, adminWorld.superAdmin, await make.admin(adminWorld.world.db)])
      expect(outcomeOf(await suspend(id, undefined, adminWorld.tokens.superAdmin))).toBe(
        '403 CANNOT_SUSPEND_ADMIN',
      );
    expect(outcomeOf(await suspend(adminWorld.admin.id))).toBe('403 CANNOT_SUSPEND_ADMIN');
  });

  test('an account that was never verified is not suspended, also while it is being verified', async () => {
    const pending = await make.user(adminWorld.world.db, { status: 'PENDING_VERIFICATION' });
    expect(outcomeOf(await suspend(pending.id))).toBe('400 VALIDATION_ERROR');
    const verify = () =>
      execute(
        adminWorld.world.db,
        `UPDATE users SET status = 'ACTIVE', email_verified_at = now() WHERE id = $1 AND status = 'PENDING_VERIFICATION'`,
        [pending.id],
      );
    const [suspended] = await Promise.all([suspend(pending.id), verify()]);
    expect(['200', '400 VALIDATION_ERROR']).toContain(outcomeOf(suspended));
    expect(await statusOf(pending.id)).toBe(suspended.status === 200 ? 'SUSPENDED' : 'ACTIVE');
  });

  test.each([
    ['reason', {}],
    ['reason', { reason: ' ' }],
    ['duration', { reason: 'x', duration: 0 }],
    ['duration', { reason: 'x', duration: 1.5 }],
    ['duration', { reason: 'x', duration: '3' }],
    ['notifyUser', { reason: 'x', notifyUser: 'yes' }],
  ])('VALIDATION_ERROR names %s', async (field, body) => {
    const answer = await suspend(adminWorld.user.id, body);
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      [field],
    ]);
  });

  test('USER_NOT_FOUND starts no process, and it is for administrators', async () => {
    const stranger = randomUUID();
    expect(outcomeOf(await suspend(stranger))).toBe('404 USER_NOT_FOUND');
    const handle = adminWorld.world.temporal.workflow.getHandle(suspensionProcess.id({ userId: stranger }));
    await expect(handle.describe()).rejects.toThrow(/not found/i);
    expect(outcomeOf(await suspend(adminWorld.user.id, undefined, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await suspend(adminWorld.user.id, undefined, adminWorld.tokens.user))).toBe(
      '403 FORBIDDEN',
    );
    await eventually(async () => expect(await statusOf(adminWorld.user.id)).toBe('ACTIVE'));
  });
});

describe('POST /admin/users/:id/activate', () => {
  const Activated = z.strictObject({
    userId: z.uuid(),
    status: z.literal('ACTIVE'),
    activatedAt: z.iso.datetime(),
    activatedBy: z.uuid(),
  });

  const suspend = (id: string) =>
    adminWorld.ask('post', `/admin/users/${id}/suspend`, { reason: 'Spam.', duration: 9 });
  const activate = (id: string, body: object = {}, token?: string | null) =>
    adminWorld.ask('post', `/admin/users/${id}/activate`, body, token);
  const statusOf = async (id: string) =>
    (await firstRow<{ status: string }>(adminWorld.world.db, 'SELECT status FROM users WHERE id = $1', [id]))!
      .status;

  test('lets the user sign in again; ended sessions stay ended', async () => {
    const user = await make.user(adminWorld.world.db);
    const old = await signIn(adminWorld.world, user);
    await suspend(user.id);
    const answer = await activate(user.id, { note: 'Cleared up.', notifyUser: true });
    expect(answer.status).toBe(200);
    expect(Activated.parse(answer.body.data)).toMatchObject({
      userId: user.id,
      activatedBy: adminWorld.admin.id,
    });
    expect(await logIn(adminWorld.world, user)).toBeTruthy();
    const still = await adminWorld.ask('get', '/users/me/addresses', undefined, old);
    expect(outcomeOf(still)).toBe('401 UNAUTHORIZED');
    const mails = await rows(adminWorld.world.db, 'SELECT 1 FROM outbox_messages WHERE recipient = $1', [
      user.email,
    ]);
    expect(mails).toHaveLength(1);
    const record = await firstRow(
      adminWorld.world.db,
      `SELECT next FROM audit_records WHERE entity_id = $1 AND action = 'user.activate'`,
      [user.id],
    );
    expect(record).toEqual({ next: { status: 'ACTIVE', reason: 'Cleared up.' } });
  });

  test('activates a user who is suspended without a process, which was abandoned', async () => {
    const user = await make.user(adminWorld.world.db);
    await execute(
      adminWorld.world.db,
      `UPDATE users SET status = 'SUSPENDED', suspended_at = now(), suspended_until = now() + interval '9 days' WHERE id = $1`,
      [user.id],
    );
    expect(outcomeOf(await activate(user.id))).toBe('200');
    expect(await statusOf(user.id)).toBe('ACTIVE');
    expect(outcomeOf(await suspend(user.id))).toBe('200');
  });

  test('NOT_SUSPENDED for a user who is not, and for all but one of those who activate at once', async () => {
    const user = await make.user(adminWorld.world.db);
    expect(outcomeOf(await activate(user.id))).toBe('400 NOT_SUSPENDED');
    for (const status of ['BANNED', 'PENDING_VERIFICATION'] as const)
      expect(outcomeOf(await activate((await make.user(adminWorld.world.db, { status })).id))).toBe(
        '400 NOT_SUSPENDED',
      );
    await suspend(user.id);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => activate(user.id).then(outcomeOf)));
    expect(outcomes.sort()).toEqual(['200', ...Array<string>(4).fill('400 NOT_SUSPENDED')]);
  });

  test('the same Idempotency-Key is answered again after its process has ended', async () => {
    const user = await make.user(adminWorld.world.db);
    await suspend(user.id);
    const key = `activate-${user.id}`;
    const ask = () =>
      adminWorld.world.http
        .post(`/api/v1/admin/users/${user.id}/activate`)
        .auth(adminWorld.tokens.admin, { type: 'bearer' })
        .set('idempotency-key', key)
        .send({});
    const first = await ask();
    expect(first.status).toBe(200);
    await adminWorld.world.temporal.workflow.getHandle(`suspension:${user.id}`).result();
    await execute(
      adminWorld.world.db,
      `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE key = $1`,
      [key],
    );
    expect((await ask()).body).toEqual(first.body);
    const done = await rows(
      adminWorld.world.db,
      `SELECT 1 FROM audit_records WHERE entity_id = $1 AND action = 'user.activate'`,
      [user.id],
    );
    expect(done).toHaveLength(1);
  });

  test('suspending and activating may cross: each is done or refused, and the last one done holds', async () => {
    const user = await make.user(adminWorld.world.db);
    await suspend(user.id);
    const crossed = await Promise.all([
      activate(user.id),
      suspend(user.id),
      activate(user.id),
      suspend(user.id),
    ]);
    const done = crossed.map(outcomeOf);
    const refusals = done.filter((one) => one !== '200');
    for (const refused of refusals) expect(refused).toMatch(/^400 (ALREADY|NOT)_SUSPENDED$/);
    const moves = done.length - refusals.length;
    expect(await statusOf(user.id)).toBe(moves % 2 === 1 ? 'ACTIVE' : 'SUSPENDED');
  });

  test('CANNOT_MODIFY_SUPER_ADMIN, in any status', async () => {
    const other = await make.superAdmin(adminWorld.world.db);
    expect(outcomeOf(await activate(other.id, {}, adminWorld.tokens.superAdmin))).toBe(
      '403 CANNOT_MODIFY_SUPER_ADMIN',
    );
  });

  test('USER_NOT_FOUND, VALIDATION_ERROR, and for administrators only', async () => {
    expect(outcomeOf(await activate(randomUUID()))).toBe('404 USER_NOT_FOUND');
    expect(outcomeOf(await activate(adminWorld.user.id, { note: 5 }))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await activate(adminWorld.user.id, {}, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await activate(adminWorld.user.id, {}, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
  });
});
