import { randomUUID } from 'node:crypto';
import { changeUser } from '../../../../../api/admin/users/change.command';
import { execute, firstRow, rows } from '../../../../../db/sql/query';
import { mailsTo } from '../../../../support/checks/mail';
import { make } from '../../../../support/builders/make';
import type { User } from '../../../../support/builders/make/people';
import { signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const change = (id: string, body: object, token?: string) =>
  adminWorld.ask('patch', `/admin/users/${id}`, body, token);
const rolesOf = async ({ id }: Pick<User, 'id'>) =>
  (await firstRow<{ roles: string[] }>(adminWorld.world.db, 'SELECT roles FROM users WHERE id = $1', [id]))!
    .roles;

describe('PATCH /admin/users/:id, roles', () => {
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
    expect(mails[0]!.text).toContain('Your roles are now USER, ADMIN.');
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
