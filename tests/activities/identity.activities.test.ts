import { v7 } from 'uuid';
import { accountDeletionActivities } from '../../activities/identity/account-deletion/account-deletion.activities';
import { registrationActivities } from '../../activities/identity/registration/registration.activities';
import { suspensionActivities } from '../../activities/identity/suspension/suspension.activities';
import { verifyAuditChain } from '../../db/administration/audit/audit.reads';
import { markSent } from '../../db/administration/outbox/outbox.transitions';
import { enqueueMail } from '../../db/administration/outbox/outbox.writes';
import { diskBlobs } from '../../db/blobs/disk';
import { keepPendingRegistration } from '../../db/identity/registration/pending-registration.writes';
import { policyFrom } from '../../db/policy/config';
import { execute, firstRow, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { refusalIn } from '../../workflows/errors';
import { make } from '../support/builders/make';
import { noteOf } from '../support/builders/ordering';
import { openSession } from '../support/builders/sign-in';
import { mailsTo } from '../support/checks/mail';
import { ownDatabase } from '../support/servers/database';
import { testVariables } from '../support/worlds/variables';

const own = ownDatabase();

describe('policy', () => {
  const at = '2026-03-01T10:00:00.000Z';

  test('how long an account waits to be verified, and its token is good, is policy', async () => {
    const userId = v7();
    const email = `${userId}@example.com`;
    await keepPendingRegistration(own.db, {
      ...{ userId, email, region: 'EU', passwordHash: 'x', firstName: 'Ada', lastName: 'Lovelace' },
      ...{ phone: null, acceptedMarketing: false, sponsorId: null, touchId: null },
    });
    const policy = policyFrom({ POLICY_UNVERIFIED_DAYS: '2', POLICY_VERIFICATION_HOURS: '1' });
    const activities = registrationActivities({ db: own.db, policy });
    const tokenId = v7();
    const opened = { createdAt: at, removeAt: '2026-03-03T10:00:00.000Z' };
    expect(await activities.register({ userId, tokenId, at })).toEqual(opened);
    expect(await activities.registrationState({ userId })).toEqual(opened);
    const token = await firstRow<{ until: Date }>(
      own.db,
      'SELECT expires_at AS until FROM mailed_tokens WHERE id = $1',
      [tokenId],
    );
    expect(token!.until.toISOString()).toBe('2026-03-01T11:00:00.000Z');
    const [mail] = await mailsTo(own.db, email);
    expect(mail!.text).toContain('It is valid for 1 hour and can be used once.');
    expect(mail!.text).toContain('the account is removed after 2 days.');
    expect(await activities.removeUnverified({ userId, at: '2026-03-03T09:59:59.999Z' })).toEqual(opened);
    expect(await activities.removeUnverified({ userId, at: opened.removeAt })).toBe('GONE');
  });

  test('the grace period of a deletion is policy', async () => {
    const { id: userId, email } = await make.user(own.db);
    const policy = policyFrom({ POLICY_DELETION_GRACE_DAYS: '3' });
    const blobs = diskBlobs(testVariables['BLOB_DIR']!);
    const activities = accountDeletionActivities({ db: own.db, blobs, policy });
    const due = { dueAt: '2026-03-04T10:00:00.000Z' };
    const sessionId = await openSession(own.db, userId);
    expect(await activities.scheduleDeletion({ userId, sessionId, at })).toEqual(due);
    // Retried or requested again, the day stays, and the token of the first mail counts.
    expect(await activities.scheduleDeletion({ userId, sessionId, at: '2026-03-02T10:00:00.000Z' })).toEqual(
      due,
    );
    const mails = await mailsTo(own.db, email);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('will be erased on 4 March 2026, in 3 days.');
  });

  test('undoing a deletion tried again after a lost answer does nothing more; by another command it is refused', async () => {
    const { id: userId, email } = await make.user(own.db);
    const blobs = diskBlobs(testVariables['BLOB_DIR']!);
    const activities = accountDeletionActivities({ db: own.db, blobs, policy: policyFrom({}) });
    const now = new Date().toISOString();
    await activities.scheduleDeletion({ userId, sessionId: await openSession(own.db, userId), at: now });
    const token = await firstRow<{ id: string }>(own.db, 'SELECT id FROM mailed_tokens WHERE user_id = $1', [
      userId,
    ]);
    const command = { userId, tokenId: token!.id, useId: v7(), at: new Date().toISOString() };
    await activities.undoDeletion(command);
    await activities.undoDeletion(command);
    expect(await activities.dueDeletion({ userId })).toBeNull();
    expect(await mailsTo(own.db, email)).toHaveLength(2);
    const another = activities.undoDeletion({ ...command, useId: v7() });
    await expect(another).rejects.toMatchObject({ type: 'INVALID_TOKEN' });
  });
});

describe('mailed tokens', () => {
  /** Requests that present one mailed token; all of one workflow task have the same time. */
  const own = ownDatabase();
  const policy = policyFrom({});
  const later = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

  /** An account that waits to be verified, by this token. */
  async function unverified() {
    const [userId, tokenId] = [v7(), v7()];
    await keepPendingRegistration(own.db, {
      ...{ userId, email: `${userId}@example.com`, region: 'EU', passwordHash: 'x', firstName: 'Ada' },
      ...{ lastName: 'Lovelace', phone: null, acceptedMarketing: false, sponsorId: null, touchId: null },
    });
    const activities = registrationActivities({ db: own.db, policy });
    await activities.register({ userId, tokenId, at: later(0) });
    return (useId: string, at: string) => activities.verifyEmail({ userId, tokenId, useId, at });
  }

  test('verified by two requests at one moment, and at once: one succeeds, the other is refused with ALREADY_VERIFIED', async () => {
    for (let round = 0; round < 5; round++) {
      const [verify, at] = [await unverified(), later(1)];
      const outcomes = await Promise.allSettled([verify(v7(), at), verify(v7(), at)]);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refused).toMatchObject([{ type: 'ALREADY_VERIFIED' }]);
      expect(outcomes).toContainEqual({ status: 'fulfilled', value: { verifiedAt: at } });
    }
  });

  test('verified again by the same request, it answers the same', async () => {
    const [verify, useId, at] = [await unverified(), v7(), later(1)];
    for (const moment of [at, at, later(5)]) expect(await verify(useId, moment)).toEqual({ verifiedAt: at });
  });

  test('a deletion undone by one request: repeated, it does nothing more; by another at that moment it is refused', async () => {
    const { id: userId, email } = await make.user(own.db);
    const blobs = diskBlobs(testVariables['BLOB_DIR']!);
    const activities = accountDeletionActivities({ db: own.db, blobs, policy });
    await activities.scheduleDeletion({ userId, sessionId: await openSession(own.db, userId), at: later(0) });
    const token = await firstRow<{ id: string }>(own.db, 'SELECT id FROM mailed_tokens WHERE user_id = $1', [
      userId,
    ]);
    const [tokenId, useId, at] = [token!.id, v7(), later(1)];
    for (const moment of [at, at, later(5)])
      await activities.undoDeletion({ userId, tokenId, useId, at: moment });
    expect(await activities.dueDeletion({ userId })).toBeNull();
    expect(await mailsTo(own.db, email)).toHaveLength(2);
    await expect(activities.undoDeletion({ userId, tokenId, useId: v7(), at })).rejects.toMatchObject({
      type: 'INVALID_TOKEN',
    });
  });
});

describe('deletion of an account', () => {
  const activities = () =>
    accountDeletionActivities({
      db: own.db,
      blobs: diskBlobs(testVariables['BLOB_DIR']!),
      policy: policyFrom({}),
    });

  const DAY_MS = 24 * 60 * 60_000;
  const before = (moment: string, ms: number): string => new Date(Date.parse(moment) - ms).toISOString();

  test('an account whose erasure was postponed since it was read is kept', async () => {
    const { id: userId } = await make.user(own.db);
    const { scheduleDeletion, unscheduleDeletion, eraseAccount, dueDeletion } = activities();
    const from = async () => ({ userId, sessionId: await openSession(own.db, userId) });
    const { dueAt: first } = await scheduleDeletion({ ...(await from()), at: new Date().toISOString() });
    await unscheduleDeletion({ userId, at: new Date().toISOString() });
    const at = new Date(Date.now() + DAY_MS).toISOString();
    const { dueAt } = await scheduleDeletion({ ...(await from()), at });
    expect(await eraseAccount({ userId, at: first })).toBe('KEPT');
    expect(await eraseAccount({ userId, at: before(dueAt, 1) })).toBe('KEPT');
    expect(await dueDeletion({ userId })).toEqual({ dueAt });
    expect(await eraseAccount({ userId, at: dueAt })).toBe('ERASED');
  });

  test('erasing deletes sent messages, and leaves waiting ones and those of others', async () => {
    const [gone, other] = [await make.user(own.db), await make.user(own.db)];
    const write = async (to: string, status: 'SENT' | 'WAITING'): Promise<void> => {
      const reference = `${to} ${status}`;
      await inTransaction(own.db, (tx) =>
        enqueueMail(tx, { reference, to, subject: 'Hello', text: v7(), html: '' }),
      );
      if (status === 'SENT')
        for (const { id } of await rows<{ id: string }>(
          own.db,
          'SELECT id FROM outbox_messages WHERE reference = $1',
          [reference],
        ))
          await markSent(own.db, id);
    };
    for (const { email } of [gone, other])
      for (const status of ['SENT', 'WAITING'] as const) await write(email, status);
    const sessionId = await openSession(own.db, gone.id);
    const { dueAt } = await activities().scheduleDeletion({
      ...{ userId: gone.id, sessionId, at: new Date().toISOString() },
    });
    expect(await activities().eraseAccount({ userId: gone.id, at: dueAt })).toBe('ERASED');
    const left = await rows<{ reference: string }>(
      own.db,
      `SELECT reference FROM outbox_messages WHERE reference LIKE '%@%' ORDER BY id`,
    );
    expect(left.map(({ reference }) => reference)).toEqual([
      `${gone.email} WAITING`,
      `${other.email} SENT`,
      `${other.email} WAITING`,
    ]);
  });
});

describe('suspension', () => {
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
    (await firstRow<{ n: number }>(own.db, `SELECT count(*)::int AS n FROM ${table} WHERE ${where}`, bind))!
      .n;

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
    expect(
      await count('audit_records', `entity_id = $1 AND action = 'user.suspension-ended'`, [user.id]),
    ).toBe(1);
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
    expect(plain).toContain('on 2 March 2026 (UTC)');
    expect(html).toContain('&lt;b&gt;');
  });
});
