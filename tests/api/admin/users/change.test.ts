import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { changeUser } from '../../../../api/admin/users/change.command';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { askAuth, registered } from '../../../support/builders/registering';
import { logIn, signIn } from '../../../support/builders/sign-in';
import { mailsTo } from '../../../support/checks/mail';
import type { User } from '../../../support/builders/make/people';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive'] });
});
afterAll(() => adminWorld.world.teardown());

describe('PATCH /admin/users/:id, roles', () => {
  const change = (id: string, body: object, token?: string) =>
    adminWorld.ask('patch', `/admin/users/${id}`, body, token);
  const rolesOf = async ({ id }: Pick<User, 'id'>) =>
    (await firstRow<{ roles: string[] }>(adminWorld.world.db, 'SELECT roles FROM users WHERE id = $1', [id]))!
      .roles;

  test('API3: FORBIDDEN for an ADMIN, also for own roles and whatever else is sent; nothing is changed', async () => {
    const { admin, user } = adminWorld;
    for (const id of [admin.id, user.id, (await make.admin(adminWorld.world.db)).id]) {
      const answer = await change(id, {
        roles: ['SUPER_ADMIN'],
        profile: { firstName: 'Mallory' },
        note: 'x',
      });
      expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
    }
    expect([await rolesOf(admin), await rolesOf(user)]).toEqual([['USER', 'ADMIN'], ['USER']]);
    const changed = await rows(adminWorld.world.db, `SELECT 1 FROM users WHERE first_name = 'Mallory'`);
    expect([changed.length, (await rows(adminWorld.world.db, 'SELECT 1 FROM user_notes')).length]).toEqual([
      0, 0,
    ]);
  });

  test('CANNOT_MODIFY_SUPER_ADMIN comes after validation and 404, and before every other check', async () => {
    const { superAdmin, tokens } = adminWorld;
    const another = await make.superAdmin(adminWorld.world.db);
    const taken = (await make.user(adminWorld.world.db)).email;
    const bodies = [
      { roles: ['USER'] },
      { note: 'x' },
      { email: taken },
      { profile: { firstName: 'Mallory' } },
      {},
    ];
    for (const { id } of [superAdmin, another])
      for (const token of [tokens.admin, tokens.superAdmin])
        for (const body of bodies)
          expect(outcomeOf(await change(id, body, token))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
    expect(outcomeOf(await change(superAdmin.id, { roles: ['ROOT'] }))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await change(randomUUID(), { roles: ['USER'] }))).toBe('404 USER_NOT_FOUND');
    expect(await rolesOf(superAdmin)).toContain('SUPER_ADMIN');
  });

  test('an ADMIN is changed by a SUPER_ADMIN only, notes included, and nobody changes an own account', async () => {
    const another = await make.admin(adminWorld.world.db);
    for (const body of [{ note: 'x' }, { email: 'mine@example.com' }, { profile: { firstName: 'Mallory' } }])
      for (const { id } of [another, adminWorld.admin])
        expect(outcomeOf(await change(id, body))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await change(another.id, { note: 'x' }, adminWorld.tokens.superAdmin))).toBe('200');
    const notes = await rows(adminWorld.world.db, 'SELECT 1 FROM user_notes WHERE user_id = ANY ($1)', [
      [another.id, adminWorld.admin.id],
    ]);
    expect(notes).toHaveLength(1);
  });

  test('200: the roles that the user has, sent by an ADMIN', async () => {
    const user = await make.user(adminWorld.world.db);
    expect(outcomeOf(await change(user.id, { roles: ['USER'], note: 'x' }))).toBe('200');
  });

  test('a SUPER_ADMIN raises and demotes, and it acts on the very next request', async () => {
    const user = await make.user(adminWorld.world.db);
    const token = await signIn(adminWorld.world, user);
    const list = () => adminWorld.ask('get', '/admin/users', undefined, token);
    expect(outcomeOf(await list())).toBe('403 FORBIDDEN');
    const raised = await change(user.id, { roles: ['ADMIN', 'USER', 'ADMIN'] }, adminWorld.tokens.superAdmin);
    expect(raised.body.data.roles).toEqual(['USER', 'ADMIN']);
    expect(outcomeOf(await list())).toBe('200');
    await change(user.id, { roles: ['USER'] }, adminWorld.tokens.superAdmin);
    expect(outcomeOf(await list())).toBe('403 FORBIDDEN');
  });

  test('a SUPER_ADMIN makes another one, who then is changed by nobody here', async () => {
    const user = await make.user(adminWorld.world.db);
    const all = { roles: ['USER', 'SUPER_ADMIN'] };
    expect(outcomeOf(await change(user.id, all, adminWorld.tokens.superAdmin))).toBe('200');
    expect(outcomeOf(await change(user.id, { roles: ['USER'] }, adminWorld.tokens.superAdmin))).toBe(
      '403 CANNOT_MODIFY_SUPER_ADMIN',
    );
    expect(await rolesOf(user)).toEqual(['USER', 'SUPER_ADMIN']);
  });

  test('role changes are mailed to the account, and end no session', async () => {
    const user = await make.user(adminWorld.world.db);
    const token = await signIn(adminWorld.world, user);
    await change(user.id, { roles: ['USER', 'ADMIN'], note: 'New colleague.' }, adminWorld.tokens.superAdmin);
    const mails = await mailsTo(adminWorld.world.db, user.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your account was changed']);
    expect(mails[0]!.text).toContain('Your roles have changed.');
    expect(mails[0]!.text).not.toContain('signed out');
    expect(outcomeOf(await adminWorld.ask('get', '/users/me', undefined, token))).toBe('200');
    await change(user.id, { roles: ['ADMIN', 'USER'], note: 'The same.' }, adminWorld.tokens.superAdmin);
    expect(await mailsTo(adminWorld.world.db, user.email)).toHaveLength(1);
  });

  test('roles that were taken away since the request began count, not those that it began with', async () => {
    const [second, user] = [await make.superAdmin(adminWorld.world.db), await make.user(adminWorld.world.db)];
    const by = { id: second.id, clientAddress: '192.0.2.1' };
    await execute(adminWorld.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [second.id]);
    const raise = { userId: user.id, changes: { roles: ['USER', 'SUPER_ADMIN'] }, note: null, by };
    await expect(changeUser(adminWorld.world.db, raise)).rejects.toMatchObject({ type: 'FORBIDDEN' });
    await execute(adminWorld.world.db, `UPDATE users SET roles = '{USER}' WHERE id = $1`, [second.id]);
    const rename = { userId: user.id, changes: { firstName: 'Mallory' }, note: null, by };
    await expect(changeUser(adminWorld.world.db, rename)).rejects.toMatchObject({ type: 'FORBIDDEN' });
    expect(await rolesOf(user)).toEqual(['USER']);
  });
});

describe('PATCH /admin/users/:id', () => {
  const Changed = z.strictObject({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: z.string(),
    profile: z.strictObject({
      firstName: z.string(),
      lastName: z.string(),
      middleName: z.string().nullable(),
      dateOfBirth: z.iso.date().nullable(),
      language: z.string().nullable(),
      timezone: z.string().nullable(),
    }),
    roles: z.array(z.string()),
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid(),
  });

  const change = (id: string, body: object, token?: string) =>
    adminWorld.ask('patch', `/admin/users/${id}`, body, token);
  const row = (id: string) =>
    firstRow<Record<string, unknown>>(adminWorld.world.db, 'SELECT * FROM users WHERE id = $1', [id]);
  const fingerprint = expect.stringMatching(/^fingerprint:[0-9a-f]{24}$/) as string;
  const auditOf = (id: string) =>
    rows<{ actorId: string; previous: object; next: object; clientAddress: string }>(
      adminWorld.world.db,
      `SELECT actor_id, previous, next, client_address FROM audit_records
      WHERE entity_id = $1 ORDER BY sequence`,
      [id],
    );

  test('changes what was sent and nothing else, with its audit record', async () => {
    const user = await make.user(adminWorld.world.db);
    const answer = await change(user.id, {
      email: ' New.Address@Example.com ',
      phone: '+4930901820',
      profile: {
        firstName: 'Zoë',
        middleName: 'van',
        dateOfBirth: '1990-12-10',
        language: 'pt-BR',
        timezone: 'Europe/Berlin',
      },
      note: 'Spoke to her.',
    });
    expect(answer.status).toBe(200);
    expect(Changed.parse(answer.body.data)).toMatchObject({
      email: 'new.address@example.com',
      phone: '+4930901820',
      profile: {
        firstName: 'Zoë',
        lastName: 'Lovelace',
        middleName: 'van',
        dateOfBirth: '1990-12-10',
        language: 'pt-BR',
        timezone: 'Europe/Berlin',
      },
      roles: ['USER'],
      updatedBy: adminWorld.admin.id,
    });
    const [record, ...more] = await auditOf(user.id);
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      actorId: adminWorld.admin.id,
      // Personal data could not be erased from the audit, so it is not recorded.
      previous: { email: fingerprint, phone: null, firstName: fingerprint },
      next: {
        email: fingerprint,
        phone: fingerprint,
        firstName: fingerprint,
        noteId: expect.any(String) as string,
      },
      clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/) as string,
    });
    expect(record!.previous).not.toHaveProperty('lastName');
    expect(
      await logIn(adminWorld.world, { email: 'new.address@example.com', password: user.password }),
    ).toBeTruthy();
    const initial = await change(user.id, { profile: { middleName: 'K' } });
    expect(initial.body.data.profile.middleName).toBe('K');
    const nothing = { middleName: null, dateOfBirth: null, language: null, timezone: null };
    const cleared = await change(user.id, { phone: null, profile: nothing });
    expect(Changed.parse(cleared.body.data)).toMatchObject({ phone: null, profile: nothing });
  });

  test('an address that an administrator sets counts as verified if the old one did; a phone does not', async () => {
    const { db } = adminWorld.world;
    const [verified, pending] = [
      await make.user(db),
      await make.user(db, { status: 'PENDING_VERIFICATION' }),
    ];
    await execute(db, `UPDATE users SET phone = '+4930901821', phone_verified_at = now() WHERE id = $1`, [
      verified.id,
    ]);
    await change(verified.id, { email: 'one@example.com', phone: '+4930901822' });
    await change(pending.id, { email: 'two@example.com' });
    expect(await row(verified.id)).toMatchObject({
      emailVerifiedAt: expect.any(Date) as Date,
      phoneVerifiedAt: null,
    });
    expect(await row(pending.id)).toMatchObject({ emailVerifiedAt: null, status: 'PENDING_VERIFICATION' });
  });

  test('what was mailed to the old address verifies nothing and resets nothing', async () => {
    const { id, token } = await registered(adminWorld.world);
    expect(outcomeOf(await change(id, { email: 'moved@example.com' }))).toBe('200');
    const answer = await askAuth(adminWorld.world, 'verify-email', { token });
    expect(answer.status).toBe(400);
    expect(await row(id)).toMatchObject({ status: 'PENDING_VERIFICATION', email: 'moved@example.com' });
  });

  test('nothing sent, or nothing new: nothing changes and nothing is recorded', async () => {
    const user = await make.user(adminWorld.world.db);
    const before = await row(user.id);
    for (const body of [
      {},
      { email: user.email, profile: { firstName: 'Ada' } },
      { status: 'BANNED', kycLevel: 'ENHANCED' },
    ])
      expect(outcomeOf(await change(user.id, body))).toBe('200');
    expect(await row(user.id)).toEqual(before);
    expect(await auditOf(user.id)).toEqual([]);
  });

  test('EMAIL_ALREADY_EXISTS in the same region only; a phone number that another has proven is a VALIDATION_ERROR', async () => {
    const { db } = adminWorld.world;
    const [user, other] = [await make.user(db), await make.user(db)];
    await make.user(db, { region: 'US', email: 'elsewhere@example.com' });
    await execute(db, `UPDATE users SET phone = '+4930901829', phone_verified_at = now() WHERE id = $1`, [
      other.id,
    ]);
    expect(outcomeOf(await change(user.id, { email: other.email, note: 'x' }))).toBe(
      '409 EMAIL_ALREADY_EXISTS',
    );
    const phone = await change(user.id, { phone: '+4930901829' });
    expect(phone.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      reason: 'PHONE_BELONGS_TO_ANOTHER_ACCOUNT',
      details: { phone: ['belongs to another account'] },
    });
    expect(outcomeOf(await change(user.id, { email: 'elsewhere@example.com' }))).toBe('200');
    expect(await auditOf(user.id)).toHaveLength(1);
    await execute(db, 'UPDATE users SET phone_verified_at = NULL WHERE id = $1', [other.id]);
    expect(outcomeOf(await change(user.id, { phone: '+4930901829' }))).toBe('200');
  });

  test.each([
    ['email', { email: 'nobody' }],
    ['phone', { phone: '030901820' }],
    ['phone', { phone: '+4912' }],
    ['profile.firstName', { profile: { firstName: 'R2-D2' } }],
    ['profile.lastName', { profile: { lastName: 'x\r\nBcc: y' } }],
    ['profile.dateOfBirth', { profile: { dateOfBirth: '2990-01-01' } }],
    ['profile.dateOfBirth', { profile: { dateOfBirth: '1990-02-30' } }],
    ['profile.language', { profile: { language: 'English!' } }],
    ['profile.timezone', { profile: { timezone: 'Mars/Olympus' } }],
    ['note', { note: ' ' }],
    ['roles.0', { roles: ['ROOT'] }],
    ['roles', { roles: [] }],
  ])('VALIDATION_ERROR names %s', async (field, body) => {
    const answer = await change(adminWorld.user.id, body, adminWorld.tokens.superAdmin);
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      [field],
    ]);
  });

  test('a middle name may be an initial', async () => {
    const { id } = await make.user(adminWorld.world.db);
    const answer = await change(id, { profile: { middleName: 'K' } });
    expect([outcomeOf(answer), answer.body.data.profile.middleName]).toEqual(['200', 'K']);
  });

  test('USER_NOT_FOUND, and for administrators only', async () => {
    expect(outcomeOf(await change(randomUUID(), { note: 'x' }))).toBe('404 USER_NOT_FOUND');
    expect(outcomeOf(await adminWorld.ask('patch', `/admin/users/${adminWorld.user.id}`, {}, null))).toBe(
      '401 UNAUTHORIZED',
    );
    expect(outcomeOf(await change(adminWorld.user.id, {}, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
  });
});
