import { latestToken } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';
import { undoing } from '../undo/undoing';
import { guarded } from './guarded';

const server = ownIdentityServer({ ADMIN_SECOND_FACTOR: 'optional' });
const { undo } = undoing(server);

test('where it is optional, administrators choose any method, and the mail takes it off', async () => {
  const admin = await guarded(server, 'EMAIL', await make.admin(server.db));
  const opened = await server.http
    .get('/api/v1/users/me/addresses')
    .auth(admin.accessToken, { type: 'bearer' });
  expect(opened.status).toBe(200);
  expect((await undo(await latestToken(server.db, admin.user.email))).status).toBe(200);
});
