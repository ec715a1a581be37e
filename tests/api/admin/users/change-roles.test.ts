import { randomUUID } from 'node:crypto';
import { firstRow, rows } from '../../../../db/sql';
import { make } from '../../../support/make';
import type { User } from '../../../support/make/people';
import { signIn } from '../../../support/sign-in';
import { startOffice, verdict, type Office } from '../office';

let office: Office;
beforeAll(async () => {
  office = await startOffice({ worker: false });
});
afterAll(() => office.world.teardown());

const change = (id: string, body: object, token?: string) =>
  office.ask('patch', `/admin/users/${id}`, body, token);
const rolesOf = async ({ id }: Pick<User, 'id'>) =>
  (await firstRow<{ roles: string[] }>(office.world.db, 'SELECT roles FROM users WHERE id = $1', [id]))!
    .roles;

describe('PATCH /admin/users/:id, roles', () => {
  test('API3: FORBIDDEN for an ADMIN, whoever is meant and whatever else is sent; nothing is changed', async () => {
    const { admin, user, superAdmin } = office;
    for (const id of [admin.id, user.id, superAdmin.id, randomUUID()]) {
      const answer = await change(id, {
        roles: ['SUPER_ADMIN'],
        profile: { firstName: 'Mallory' },
        note: 'x',
      });
      expect(verdict(answer)).toBe('403 FORBIDDEN');
    }
    expect([await rolesOf(admin), await rolesOf(user)]).toEqual([['USER', 'ADMIN'], ['USER']]);
    const changed = await rows(office.world.db, `SELECT 1 FROM users WHERE first_name = 'Mallory'`);
    expect([changed.length, (await rows(office.world.db, 'SELECT 1 FROM user_notes')).length]).toEqual([
      0, 0,
    ]);
  });

  test('CANNOT_MODIFY_SUPER_ADMIN for an ADMIN who changes anything of a SUPER_ADMIN', async () => {
    for (const body of [{ note: 'x' }, { email: 'x@example.com' }, { profile: { firstName: 'Mallory' } }])
      expect(verdict(await change(office.superAdmin.id, body))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
  });

  test('a SUPER_ADMIN raises and demotes, and it acts on the very next request', async () => {
    const user = await make.user(office.world.db);
    const token = await signIn(office.world, user);
    const list = () => office.ask('get', '/admin/users', undefined, token);
    expect(verdict(await list())).toBe('403 FORBIDDEN');
    const raised = await change(user.id, { roles: ['ADMIN', 'USER', 'ADMIN'] }, office.tokens.superAdmin);
    expect(raised.body.data.roles).toEqual(['USER', 'ADMIN']);
    expect(verdict(await list())).toBe('200');
    await change(user.id, { roles: ['USER'] }, office.tokens.superAdmin);
    expect(verdict(await list())).toBe('403 FORBIDDEN');
  });

  test('the last SUPER_ADMIN cannot be demoted; one who cannot sign in is none', async () => {
    const { superAdmin, tokens } = office;
    await make.superAdmin(office.world.db, { status: 'BANNED' });
    expect(verdict(await change(superAdmin.id, { roles: ['USER'] }, tokens.superAdmin))).toBe(
      '403 CANNOT_MODIFY_SUPER_ADMIN',
    );
    expect(await rolesOf(superAdmin)).toContain('SUPER_ADMIN');
  });

  test('nor can the last two demote each other, or themselves, at once', async () => {
    for (let round = 0; round < 5; round++) {
      const second = await make.superAdmin(office.world.db);
      const tokenOfSecond = await signIn(office.world, second);
      const people = [office.superAdmin, second];
      const targets = round % 2 === 0 ? [second, office.superAdmin] : people;
      const demoted = await Promise.all([
        change(targets[0]!.id, { roles: ['USER'] }, office.tokens.superAdmin),
        change(targets[1]!.id, { roles: ['USER'] }, tokenOfSecond),
      ]);
      expect(demoted.filter(({ status }) => status === 200)).toHaveLength(1);
      const left = (await Promise.all(people.map(rolesOf))).filter((roles) => roles.includes('SUPER_ADMIN'));
      expect(left).toHaveLength(1);
      if (!(await rolesOf(office.superAdmin)).includes('SUPER_ADMIN')) {
        await change(office.superAdmin.id, { roles: ['USER', 'ADMIN', 'SUPER_ADMIN'] }, tokenOfSecond);
        expect(verdict(await change(second.id, { roles: ['USER'] }, office.tokens.superAdmin))).toBe('200');
      }
    }
  });
});
