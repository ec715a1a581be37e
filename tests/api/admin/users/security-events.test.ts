import { serve } from '../../../../api/http/serve';
import { make } from '../../../support/builders/make';
import { forgotten } from '../../../support/builders/resetting';
import { inShort, securityEventsIn } from '../../../support/checks/security-events';
import { get } from '../../http/client';
import { startAdminWorld, type AdminWorld } from '../admin-world';

const lines: string[] = [];
let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ lines });
});
afterAll(() => adminWorld.world.teardown());

const decide = async (path: string, body: object) => {
  const { status } = await adminWorld.ask('post', path, body, adminWorld.tokens.superAdmin);
  expect(status).toBe(200);
};

test('decisions of administrators on an account, and a password reset, are logged and counted', async () => {
  const { world } = adminWorld;
  const measuring = await serve(world.metrics.page, 0);
  expect((await get(measuring.port, '/metrics')).body).toContain(
    'security_events_total{event="account-banned",outcome="success"} 0',
  );
  const user = await make.user(world.db);
  await make.secondFactor(world.db, user.id);
  lines.splice(0);
  await adminWorld.ask(
    'patch',
    `/admin/users/${user.id}`,
    { roles: ['USER', 'ADMIN'] },
    adminWorld.tokens.superAdmin,
  );
  // The second changes nothing, so it is no event.
  for (let time = 0; time < 2; time++)
    await adminWorld.ask(
      'patch',
      `/admin/users/${user.id}`,
      { roles: ['USER'] },
      adminWorld.tokens.superAdmin,
    );
  await decide(`/admin/users/${user.id}/reset-two-factor`, {});
  const token = await forgotten(world, user.email);
  const password = 'Umbrella-9-tango-Walrus';
  await world.http.post('/api/v1/auth/reset-password').send({ token, password, confirmPassword: password });
  await decide(`/admin/users/${user.id}/suspend`, { reason: 'Looked odd.' });
  await decide(`/admin/users/${user.id}/ban`, { reason: 'Was odd.' });
  const events = securityEventsIn(lines);
  expect(events.map(inShort)).toEqual([
    'role-change success USER,ADMIN',
    'role-change success USER',
    'two-factor-reset success',
    'password-reset success',
    'account-suspended success',
    'account-banned success',
  ]);
  expect(new Set(events.map(({ account }) => account)).size).toBe(1);
  const { body } = await get(measuring.port, '/metrics');
  for (const event of ['account-banned', 'account-suspended', 'password-reset', 'two-factor-reset'])
    expect(body).toContain(`security_events_total{event="${event}",outcome="success"} 1`);
  expect(body).toContain('security_events_total{event="role-change",outcome="success"} 2');
  expect(body).toContain('security_events_total{event="login",outcome="failure"} 0');
  await measuring.drain();
});
