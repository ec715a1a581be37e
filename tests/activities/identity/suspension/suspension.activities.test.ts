import { v7 } from 'uuid';
import { suspensionActivities } from '../../../../activities/identity/suspension/suspension.activities';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { ownDatabase } from '../../../support/servers/database';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';

const own = ownDatabase();
const at = '2026-03-01T12:00:00.000Z';
const steps = () => suspensionActivities(own);

const decision = async (userId: string, { notifyUser = false, text = 'Chargebacks.' } = {}) => ({
  userId,
  noteId: await noteOf(own.db, (await make.superAdmin(own.db)).id, text),
  notifyUser,
  at,
});
const codeOf = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => 'done',
    (error: unknown) => refusalIn(error)?.code,
  );
const count = async (table: string, where: string, bind: unknown[]) =>
  (await firstRow<{ n: number }>(own.db, `SELECT count(*)::int AS n FROM ${table} WHERE ${where}`, bind))!.n;

const signedIn = (userId: string): Promise<number> =>
  execute(
    own.db,
    `INSERT INTO sessions (id, user_id, ip_address, created_at, last_active_at, expires_at)
     VALUES ($1, $2, '192.0.2.1', now(), now(), now() + interval '1 day')`,
    [v7(), userId],
  );

test('carried out twice, a decision answers twice and happens once', async () => {
  const user = await make.user(own.db);
  await signedIn(user.id);
  await signedIn(user.id);
  const command = { ...(await decision(user.id, { notifyUser: true })), days: 3 };
  const first = await steps().suspendUser(command);
  expect(first).toEqual({ at, until: '2026-03-04T12:00:00.000Z', sessionsRevoked: 2 });
  expect(await steps().suspendUser(command)).toEqual(first);
  expect(await count('audit_records', 'entity_id = $1', [user.id])).toBe(1);
  expect(await count('outbox_messages', 'recipient = $1', [user.email])).toBe(1);
});

test('the audit record holds the status before and after, and the address of the administrator', async () => {
  const user = await make.user(own.db);
  await steps().suspendUser({ ...(await decision(user.id)), days: 1 });
  await steps().activateUser(await decision(user.id, { text: 'Cleared up.' }));
  const records = await rows(
    own.db,
    `SELECT action, previous, next, client_address FROM audit_records
      WHERE entity_id = $1 ORDER BY sequence`,
    [user.id],
  );
  const suspended = {
    status: 'SUSPENDED',
    suspendedUntil: '2026-03-02T12:00:00.000Z',
    reason: 'Chargebacks.',
  };
  const clientAddress = expect.any(String) as string;
  expect(records).toEqual([
    { action: 'user.suspend', previous: { status: 'ACTIVE' }, next: suspended, clientAddress },
    {
      action: 'user.activate',
      previous: suspended,
      next: { status: 'ACTIVE', reason: 'Cleared up.' },
      clientAddress,
    },
  ]);
  expect((await verifyAuditChain(own.db)).valid).toBe(true);
});

test('the moves that each status allows', async () => {
  const { suspendUser, activateUser, banUser, unbanUser } = steps();
  const outcomes: Record<string, (string | undefined)[]> = {};
  for (const status of ['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'BANNED'] as const) {
    const fresh = async () => decision((await make.user(own.db, { status })).id);
    outcomes[status] = [
      await codeOf(suspendUser({ ...(await fresh()), days: null })),
      await codeOf(activateUser(await fresh())),
      await codeOf(banUser(await fresh())),
      await codeOf(unbanUser(await fresh())),
    ];
  }
  const wrong = 'VALIDATION_ERROR';
  expect(outcomes).toEqual({
    PENDING_VERIFICATION: [wrong, 'NOT_SUSPENDED', wrong, wrong],
    ACTIVE: ['done', 'NOT_SUSPENDED', 'done', wrong],
    SUSPENDED: ['ALREADY_SUSPENDED', 'done', 'done', wrong],
    BANNED: [wrong, 'NOT_SUSPENDED', wrong, 'done'],
  });
});

test('administrators are not suspended, and a SUPER_ADMIN is not banned', async () => {
  const [admin, superAdmin] = [await make.admin(own.db), await make.superAdmin(own.db)];
  for (const { id } of [admin, superAdmin])
    expect(await codeOf(steps().suspendUser({ ...(await decision(id)), days: 1 }))).toBe(
      'CANNOT_SUSPEND_ADMIN',
    );
  expect(await codeOf(steps().banUser(await decision(superAdmin.id)))).toBe('CANNOT_MODIFY_SUPER_ADMIN');
  expect(await codeOf(steps().banUser(await decision(admin.id)))).toBe('done');
  expect(await codeOf(steps().banUser(await decision(v7())))).toBe('USER_NOT_FOUND');
});

test('a suspension that was prolonged meanwhile, or is over, is not ended', async () => {
  const user = await make.user(own.db);
  await steps().suspendUser({ ...(await decision(user.id)), days: 5 });
  await steps().endSuspension({ userId: user.id, at: '2026-03-06T11:59:59.999Z' });
  expect(await steps().readSuspension({ userId: user.id })).toEqual({
    suspended: true,
    until: '2026-03-06T12:00:00.000Z',
  });
  await steps().endSuspension({ userId: user.id, at: '2026-03-06T12:00:00.000Z' });
  await steps().endSuspension({ userId: user.id, at: '2026-03-06T12:00:00.000Z' });
  expect(await steps().readSuspension({ userId: user.id })).toEqual({ suspended: false, until: null });
  expect(await count('audit_records', `entity_id = $1 AND action = 'user.suspension-ended'`, [user.id])).toBe(
    1,
  );
  expect(await steps().readSuspension({ userId: v7() })).toEqual({ suspended: false, until: null });
});

test('mail states the decision and the reason, escaped', async () => {
  const user = await make.user(own.db, { firstName: 'Zoë' });
  const text = 'Spam\r\nBcc: all@example.com <b>';
  await steps().suspendUser({ ...(await decision(user.id, { notifyUser: true, text })), days: 1 });
  const [mail] = await mailsTo(own.db, user.email);
  const { subject, text: plain, html } = mail!;
  expect(subject).toBe('Your account is suspended');
  expect(plain).toContain('Hello Zoë,');
  expect(plain).toContain('on 2026-03-02 (UTC)');
  expect(html).toContain('&lt;b&gt;');
});
