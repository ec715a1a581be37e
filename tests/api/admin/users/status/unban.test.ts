import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { make } from '../../../../support/builders/make';
import { logIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

const Unbanned = z.strictObject({
  userId: z.uuid(),
  status: z.literal('ACTIVE'),
  unbannedAt: z.iso.datetime(),
  unbannedBy: z.uuid(),
});

const unban = (id: string, body: object = {}, token?: string | null) =>
  adminWorld.ask(
    'post',
    `/admin/users/${id}/unban`,
    body,
    token === undefined ? adminWorld.tokens.superAdmin : token,
  );

test('lets the user sign in again', async () => {
  const user = await make.user(adminWorld.world.db, { status: 'BANNED' });
  const answer = await unban(user.id, { note: 'It was not them.', notifyUser: true });
  expect(answer.status).toBe(200);
  expect(Unbanned.parse(answer.body.data)).toMatchObject({
    userId: user.id,
    unbannedBy: adminWorld.superAdmin.id,
  });
  expect(await logIn(adminWorld.world, user)).toBeTruthy();
});

test('one who was suspended before the ban is not suspended after it', async () => {
  const user = await make.user(adminWorld.world.db);
  await adminWorld.ask('post', `/admin/users/${user.id}/suspend`, { reason: 'Spam.' });
  await adminWorld.ask(
    'post',
    `/admin/users/${user.id}/ban`,
    { reason: 'Fraud.' },
    adminWorld.tokens.superAdmin,
  );
  expect(outcomeOf(await unban(user.id))).toBe('200');
  expect(await logIn(adminWorld.world, user)).toBeTruthy();
});

test('VALIDATION_ERROR for a user who is not banned', async () => {
  for (const status of ['ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION'] as const)
    expect(outcomeOf(await unban((await make.user(adminWorld.world.db, { status })).id))).toBe(
      '400 VALIDATION_ERROR',
    );
});

test('CANNOT_MODIFY_SUPER_ADMIN also for one who is banned', async () => {
  const other = await make.superAdmin(adminWorld.world.db, { status: 'BANNED' });
  expect(outcomeOf(await unban(other.id))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
});

test('USER_NOT_FOUND, and for a SUPER_ADMIN only', async () => {
  expect(outcomeOf(await unban(randomUUID()))).toBe('404 USER_NOT_FOUND');
  expect(outcomeOf(await unban(adminWorld.user.id, {}, null))).toBe('401 UNAUTHORIZED');
  for (const token of [adminWorld.tokens.user, adminWorld.tokens.admin])
    expect(outcomeOf(await unban(adminWorld.user.id, {}, token))).toBe('403 FORBIDDEN');
});
