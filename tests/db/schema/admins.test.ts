import { scheduleDeletion } from '../../../activities/identity/account-deletion/schedule-deletion';
import { manageAdministrators } from '../../../db/schema/admins';
import { verifyAuditChain } from '../../../db/administration/audit/audit.reads';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { mailsTo } from '../../support/checks/mail';
import { make } from '../../support/builders/make';
import { setVariables, testVariables } from '../../support/worlds/variables';

const own = ownDatabase();
beforeEach(async () => {
  setVariables({ ...testVariables, DATABASE_URL: own.url });
  await execute(own.db, `UPDATE users SET roles = '{USER}'`);
});

async function admins(...args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const write = (line: string) => {
    text += line;
  };
  const code = await manageAdministrators(args, write, { write: () => undefined });
  return { code, text };
}

const rolesOf = async ({ id }: { id: string }) =>
  (await firstRow<{ roles: string[] }>(own.db, 'SELECT roles FROM users WHERE id = $1', [id]))!.roles;
const recordsOf = ({ id }: { id: string }) =>
  rows(
    own.db,
    `SELECT actor_id, action, previous, next - 'operator' AS next, next ? 'operator' AS named
       FROM audit_records WHERE entity_id = $1 ORDER BY sequence`,
    [id],
  );
/** Who could appoint somebody. */
const ruling = async () =>
  (
    await rows<{ id: string }>(
      own.db,
      `SELECT id FROM users WHERE 'SUPER_ADMIN' = ANY (roles) AND status = 'ACTIVE' AND deletion_due_at IS NULL`,
    )
  ).length;

test('list: who is ADMIN or SUPER_ADMIN, and nobody else', async () => {
  expect(await admins('list')).toEqual({ code: 0, text: 'Nobody has ADMIN or SUPER_ADMIN.\n' });
  const [admin, superAdmin, user] = [
    await make.admin(own.db),
    await make.superAdmin(own.db, { status: 'BANNED' }),
    await make.user(own.db),
  ];
  const { code, text } = await admins('list');
  expect(code).toBe(0);
  const lines = text.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(`${superAdmin.id}  EU  ${superAdmin.email}  BANNED  USER,ADMIN,SUPER_ADMIN`);
  expect(lines[1]).toContain(admin.email);
  expect(text).not.toContain(user.email);
});

test('grant: by e-mail address or id, audited without an actor, and mailed', async () => {
  const [byEmail, byId] = [await make.user(own.db), await make.admin(own.db)];
  expect((await admins('grant', byEmail.email.toUpperCase())).code).toBe(0);
  expect((await admins('grant', byId.id)).code).toBe(0);
  expect(await rolesOf(byEmail)).toEqual(['USER', 'SUPER_ADMIN']);
  expect(await rolesOf(byId)).toEqual(['USER', 'ADMIN', 'SUPER_ADMIN']);
  expect(await recordsOf(byEmail)).toEqual([
    {
      actorId: null,
      action: 'user.update',
      previous: { roles: ['USER'] },
      next: { roles: ['USER', 'SUPER_ADMIN'] },
      named: true,
    },
  ]);
  expect((await mailsTo(own.db, byEmail.email)).map(({ text }) => text)).toEqual([
    expect.stringContaining('Your roles are now USER, SUPER_ADMIN.'),
  ]);
  expect(await admins('grant', byId.id)).toMatchObject({ code: 0, text: expect.stringContaining('already') });
  expect(await recordsOf(byId)).toHaveLength(1);
  expect((await verifyAuditChain(own.db)).valid).toBe(true);
});

test('grant: not to an account that cannot sign in or is to be deleted', async () => {
  for (const status of ['BANNED', 'SUSPENDED', 'PENDING_VERIFICATION'] as const) {
    const user = await make.user(own.db, { status });
    expect(await admins('grant', user.email)).toMatchObject({
      code: 1,
      text: expect.stringContaining(status),
    });
  }
  const leaving = await make.user(own.db);
  await execute(own.db, 'UPDATE users SET deletion_due_at = now() WHERE id = $1', [leaving.id]);
  expect((await admins('grant', leaving.email)).code).toBe(1);
  expect(await ruling()).toBe(0);
});

test('remove: takes SUPER_ADMIN only, and leaves the other roles', async () => {
  const [first, second] = [await make.superAdmin(own.db), await make.superAdmin(own.db)];
  expect((await admins('remove', first.email)).code).toBe(0);
  expect(await rolesOf(first)).toEqual(['USER', 'ADMIN']);
  expect(await rolesOf(second)).toContain('SUPER_ADMIN');
  expect(await recordsOf(first)).toMatchObject([{ actorId: null, next: { roles: ['USER', 'ADMIN'] } }]);
  expect((await mailsTo(own.db, first.email)).map(({ text }) => text)).toEqual([
    expect.stringContaining('Your roles are now USER, ADMIN.'),
  ]);
  expect(await admins('remove', first.email)).toMatchObject({ code: 0 });
  expect(await recordsOf(first)).toHaveLength(1);
});

test('remove --admin: takes ADMIN away too, and is no way round the last SUPER_ADMIN', async () => {
  const [admin, last] = [await make.admin(own.db), await make.superAdmin(own.db)];
  expect((await admins('remove', admin.email)).text).toContain('does not have the role SUPER_ADMIN.');
  expect(await rolesOf(admin)).toEqual(['USER', 'ADMIN']);
  expect((await admins('remove', admin.email, '--admin')).code).toBe(0);
  expect(await rolesOf(admin)).toEqual(['USER']);
  expect((await admins('remove', last.email, '--admin')).code).toBe(1);
  expect((await admins('remove', last.email, '--admin', '--force')).code).toBe(0);
  expect(await rolesOf(last)).toEqual(['USER']);
});

test('remove: the last one who can sign in and stays only with --force', async () => {
  const last = await make.superAdmin(own.db);
  await make.superAdmin(own.db, { status: 'BANNED' });
  const leaving = await make.superAdmin(own.db);
  await execute(own.db, 'UPDATE users SET deletion_due_at = now() WHERE id = $1', [leaving.id]);
  expect(await admins('remove', last.email)).toMatchObject({
    code: 1,
    text: expect.stringContaining('the last SUPER_ADMIN'),
  });
  expect(await recordsOf(last)).toEqual([]);
  expect((await admins('remove', last.email, '--force')).code).toBe(0);
  expect(await rolesOf(last)).not.toContain('SUPER_ADMIN');
});

test('remove: of the last two, who are removed or leave at once, one stays', async () => {
  for (let round = 0; round < 6; round++) {
    await execute(own.db, `UPDATE users SET roles = '{USER}'`);
    const [first, second] = [await make.superAdmin(own.db), await make.superAdmin(own.db)];
    const leave = () =>
      scheduleDeletion(
        own.db,
        { userId: second.id, at: new Date() },
        { deletionGraceDays: 14, undoDays: 14 },
      ).then(
        () => 0,
        () => 1,
      );
    const codes = await Promise.all([
      admins('remove', first.email).then(({ code }) => code),
      round % 2 === 0 ? admins('remove', second.email).then(({ code }) => code) : leave(),
    ]);
    expect(codes.sort()).toEqual([0, 1]);
    expect(await ruling()).toBe(1);
  }
});

test('an address with accounts in several regions is named by id', async () => {
  const email = 'everywhere@example.com';
  const [eu, us] = [await make.user(own.db, { email }), await make.user(own.db, { email, region: 'US' })];
  const { code, text } = await admins('grant', email);
  expect(code).toBe(1);
  expect(text).toContain(eu.id);
  expect(text).toContain(us.id);
  expect((await admins('grant', us.id)).code).toBe(0);
  expect([await rolesOf(eu), await rolesOf(us)]).toEqual([['USER'], ['USER', 'SUPER_ADMIN']]);
});

test.each([
  [[]],
  [['grant']],
  [['list', 'x']],
  [['grant', 'a', 'b']],
  [['grant', 'a', '--force']],
  [['grant', 'a', '--admin']],
  [['rule', 'a']],
  [['list', '--all']],
])('2 with the usage: %j', async (args) => {
  expect(await admins(...args)).toEqual({ code: 2, text: expect.stringContaining('npm run admins') });
});

test('1: nobody of that name; 2: no database', async () => {
  expect((await admins('remove', 'nobody@example.com')).code).toBe(1);
  setVariables({ DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' });
  expect((await admins('list')).code).toBe(2);
});
