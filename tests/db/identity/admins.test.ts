import { scheduleDeletion } from '../../../activities/identity/account-deletion/schedule-deletion';
import { verifyAuditChain } from '../../../db/administration/audit/audit.reads';
import {
  lockStayingSuperAdmins,
  setRoles,
} from '../../../db/identity/user-administration/super-admin.writes';
import { manageAdministrators, operatorOf } from '../../../db/identity/user-administration/admins';
import { migrateUp } from '../../../db/schema/migrate';
import { APPEND_ONLY_TABLES } from '../../../db/schema/program-role';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { programUrlOf } from '../../../local/cluster/program-role';
import { make } from '../../support/builders/make';
import { openSession } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import { mailsTo } from '../../support/checks/mail';
import { ownDatabase } from '../../support/servers/database';
import { PROGRAM_PASSWORD, setVariables, testVariables } from '../../support/worlds/variables';

describe('administrators', () => {
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
  /** The administrators who could appoint others. */
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
      expect.stringContaining('Your roles have changed.'),
    ]);
    expect(await admins('grant', byId.id)).toMatchObject({
      code: 0,
      text: expect.stringContaining('already'),
    });
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
      expect.stringContaining('Your roles have changed.'),
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
      const sessionId = await openSession(own.db, second.id);
      const leave = () =>
        scheduleDeletion(
          { db: own.db, policy: { deletionGraceDays: 14, undoDays: 14 } },
          { userId: second.id, sessionId, at: new Date().toISOString() },
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
});

describe('the operator', () => {
  const own = ownDatabase();
  beforeEach(() => setVariables({ ...testVariables, DATABASE_URL: own.url }));

  const logged: string[] = [];
  async function admins(...args: string[]): Promise<{ code: number; text: string }> {
    let text = '';
    const write = (line: string) => {
      text += line;
    };
    logged.splice(0);
    const code = await manageAdministrators(args, write, { write: (line) => void logged.push(line) });
    return { code, text };
  }

  const rolesOf = async ({ id }: { id: string }) =>
    (await firstRow<{ roles: string[] }>(own.db, 'SELECT roles FROM users WHERE id = $1', [id]))!.roles;
  const recordsOf = ({ id }: { id: string }) =>
    rows(own.db, 'SELECT next FROM audit_records WHERE entity_id = $1', [id]);

  test('the record and the log name the operator; the log does not name the account', async () => {
    const user = await make.user(own.db);
    await admins('grant', user.email);
    const operator = operatorOf();
    expect(await rows(own.db, 'SELECT next FROM audit_records WHERE entity_id = $1', [user.id])).toEqual([
      { next: { roles: ['USER', 'SUPER_ADMIN'], operator } },
    ]);
    expect(logged.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        part: 'admins',
        security: {
          event: 'role-change',
          outcome: 'success',
          account: expect.stringMatching(/^[0-9a-f]{32}$/),
          reason: 'USER,SUPER_ADMIN',
          operator,
        },
      }),
    ]);
    expect(logged.join()).not.toContain(user.email);
    expect(logged.join()).not.toContain(user.id);
    await admins('grant', user.email);
    expect(logged).toEqual([]);
    await admins('remove', user.email);
    expect(logged).toEqual([]);
  });

  test('a user without an entry in passwd is named by the uid', () => {
    const noEntry = () => {
      throw new Error('ENOENT: uv_os_get_passwd');
    };
    expect(operatorOf(noEntry)).toBe(`uid ${process.getuid!()}`);
  });

  test('list needs no SEALING_KEYS; grant and remove do', async () => {
    const user = await make.superAdmin(own.db);
    delete process.env['SEALING_KEYS'];
    expect(await admins('list')).toMatchObject({ code: 0, text: expect.stringContaining(user.email) });
    for (const verb of ['grant', 'remove'])
      expect(await admins(verb, user.email)).toEqual({
        code: 2,
        text: expect.stringContaining('SEALING_KEYS'),
      });
  });

  test.each([
    ['of another name', 'own'],
    ['of the same name', 'test'],
  ])('1: a made-up key %s changes nothing, so that the trail stays whole', async (_title, name) => {
    const [known, user] = [await make.user(own.db), await make.user(own.db)];
    expect((await admins('grant', known.email)).code).toBe(0);
    setVariables({ SEALING_KEYS: `${name}:${Buffer.alloc(32, 1).toString('base64')}` });
    expect(await admins('grant', user.email)).toEqual({
      code: 1,
      text: expect.stringContaining('SEALING_KEYS'),
    });
    expect(await rolesOf(user)).toEqual(['USER']);
    expect(await recordsOf(user)).toEqual([]);
    expect((await verifyAuditChain(own.db)).valid).toBe(true);
  });
});

describe('races', () => {
  const own = ownDatabase();

  test('a read of the remaining SUPER_ADMINs waits for a removal under way', async () => {
    const [first, second] = [await make.superAdmin(own.db), await make.superAdmin(own.db)];
    let answered: string[] | undefined;
    const asking = await inTransaction(own.db, async (tx) => {
      expect((await lockStayingSuperAdmins(tx)).sort()).toEqual([first.id, second.id].sort());
      const other = inTransaction(own.db, lockStayingSuperAdmins).then((ids) => (answered = ids));
      await eventually(async () => {
        const waiting = await firstRow(
          own.owner,
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if (waiting === null && answered === undefined) throw new Error('It has not asked yet.');
      });
      await setRoles(tx, first.id, ['USER'], new Date());
      return { other };
    });
    expect(await asking.other).toEqual([second.id]);
  });
});

describe('the role of our programs', () => {
  const own = ownDatabase();

  test('the tests themselves run as that role, which owns nothing and is no superuser', async () => {
    expect(
      await rows(
        own.db,
        `SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned
       FROM pg_roles r WHERE rolname = current_user`,
      ),
    ).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false, owned: 0 }]);
  });

  test.each(
    APPEND_ONLY_TABLES.flatMap((table) =>
      ['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER'].map((right) => [right, table]),
    ),
  )('programs have no right to %s %s', async (right, table) => {
    expect(await rows(own.db, 'SELECT has_table_privilege($1, $2) AS allowed', [table, right])).toEqual([
      { allowed: false },
    ]);
  });

  test.each([
    ['ALTER TABLE audit_records DISABLE TRIGGER ALL', 'must be owner'],
    ['DROP TRIGGER ledger_entries_no_change ON ledger_entries', 'must be owner'],
    ['ALTER TABLE orders DROP CONSTRAINT orders_refunded_check', 'must be owner'],
    ['CREATE TABLE mine (id integer)', 'permission denied for schema public'],
    [
      'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE sql AS $$SELECT NULL$$',
      'permission denied',
    ],
    ['TRUNCATE orders CASCADE', 'permission denied'],
    ['SET session_replication_role = replica', 'permission denied'],
    [`INSERT INTO schema_migrations VALUES ('9999-none', now())`, 'permission denied'],
    ['DELETE FROM schema_migrations', 'permission denied'],
    [`UPDATE audit_records SET action = 'nothing'`, 'permission denied'],
    ['DELETE FROM ledger_transfers', 'permission denied'],
  ])('programs may not: %s', async (statement, refusal) => {
    await expect(own.db.sequelize.query(statement)).rejects.toThrow(refusal);
  });

  test('what the owner makes later is theirs to use at once, its sequences too', async () => {
    await execute(own.owner, 'CREATE TABLE later (id bigint GENERATED BY DEFAULT AS IDENTITY, note text)');
    await execute(own.owner, 'CREATE SEQUENCE later_numbers');
    await execute(own.db, `INSERT INTO later (note) SELECT nextval('later_numbers')::text`);
    await execute(own.db, `UPDATE later SET note = 'changed'`);
    expect(await execute(own.db, 'DELETE FROM later')).toBe(1);
  });

  test('migrating again repairs rights that somebody gave, and a second run at once does no harm', async () => {
    await execute(own.owner, 'GRANT ALL ON audit_records, schema_migrations TO marketplace');
    await Promise.all([migrateUp(own.ownerUrl, own.url), migrateUp(own.ownerUrl, own.url)]);
    expect(
      await rows(
        own.owner,
        `SELECT table_name AS "table", string_agg(privilege_type, ' ' ORDER BY privilege_type) AS rights
         FROM information_schema.role_table_grants
        WHERE grantee = 'marketplace' AND table_name IN ('audit_records', 'schema_migrations', 'orders')
        GROUP BY 1 ORDER BY 1`,
      ),
    ).toEqual([
      { table: 'audit_records', rights: 'INSERT SELECT' },
      { table: 'orders', rights: 'DELETE INSERT SELECT UPDATE' },
      { table: 'schema_migrations', rights: 'SELECT' },
    ]);
  });

  test('a role for programs that could do more than that is refused, by name', async () => {
    await execute(own.owner, `CREATE ROLE "too strong" SUPERUSER`);
    try {
      const strong = new URL(own.url);
      strong.username = 'too strong';
      await expect(migrateUp(own.ownerUrl, strong.href)).rejects.toThrow(
        /role too strong of DATABASE_URL is a superuser/,
      );
    } finally {
      await execute(own.owner, `DROP ROLE "too strong"`);
    }
    const absent = programUrlOf(own.ownerUrl, PROGRAM_PASSWORD).replace('marketplace', 'nobody');
    await expect(migrateUp(own.ownerUrl, absent)).rejects.toThrow(
      'The role nobody of DATABASE_URL does not exist',
    );
  });

  test('where the owner and the programs are one role, nothing is granted and nothing refused', async () => {
    expect(await migrateUp(own.ownerUrl)).toEqual([]);
  });
});
