import { manageAdministrators, operatorOf } from '../../../db/schema/admins';
import { verifyAuditChain } from '../../../db/administration/audit/audit.reads';
import { firstRow, rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { make } from '../../support/builders/make';
import { setVariables, testVariables } from '../../support/worlds/variables';

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
