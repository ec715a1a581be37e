import { execute } from '../../../db/sql/query';
import { inShort, securityEventsIn } from '../../support/checks/security-events';
import { latestToken } from '../../support/checks/mail';
import { make } from '../../support/builders/make';
import { ownIdentityServer } from './identity-server';
import { guarded, not, signedIn } from './two-factor/guarded';

const lines: string[] = [];
const counts = new Map<string, number>();
const server = ownIdentityServer({}, undefined, {
  lines,
  countSecurityEvent: ({ event, outcome }) => {
    const name = `${event} ${outcome}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  },
});
beforeEach(() => {
  lines.splice(0);
  counts.clear();
});

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);
const recorded = (): string[] => securityEventsIn(lines).map(inShort);
const accounts = (): string[] => [...new Set(securityEventsIn(lines).map(({ account }) => account))];
/** Drops the lines of a test's preparation. */
const fromHere = () => {
  lines.splice(0);
  counts.clear();
};

/** Values that no line may contain. */
const nothingOf = (...secrets: (string | undefined)[]) => {
  const events = JSON.stringify(lines.filter((line) => line.includes('security event')));
  for (const secret of secrets) expect(events).not.toContain(secret);
};

test('signing in: success, wrong password, unknown account', async () => {
  const user = await make.user(server.db);
  await logIn({ email: user.email, password: user.password });
  await logIn({ email: user.email, password: 'wrong-one' });
  expect(accounts()).toHaveLength(1);
  await logIn({ email: 'nobody@example.com', password: 'wrong-one' });
  expect(recorded()).toEqual([
    'login success password',
    'login failure password wrong',
    'login failure password wrong',
  ]);
  expect(accounts()).toHaveLength(2);
  expect(Object.fromEntries(counts)).toEqual({ 'login success': 1, 'login failure': 2 });
  nothingOf(user.email, user.id, user.password, 'wrong-one', 'nobody@example.com');
});

test('a right password of an account that may not sign in, and a first step', async () => {
  const suspended = await make.user(server.db, { status: 'SUSPENDED' });
  await logIn({ email: suspended.email, password: suspended.password });
  expect(recorded()).toEqual(['login failure SUSPENDED']);
  const person = await guarded(server);
  fromHere();
  await logIn({ email: person.user.email, password: person.user.password });
  await person.post('/auth/confirm', { password: person.user.password });
  expect(recorded()).toEqual([]);
});

test('each line names the request and the network it came from', async () => {
  await logIn({ email: 'nobody@example.com', password: 'x' }).set('X-Request-Id', 'this-one');
  const line = lines.map((each) => JSON.parse(each) as object).find((each) => 'security' in each);
  expect(line).toMatchObject({
    level: 'warn',
    requestId: 'this-one',
    security: { clientNetwork: expect.stringMatching(/^(127\.0\.0\.1|0:0:0:0::\/64)$/) as string },
  });
});

test('a lockout is recorded once, with the failure that causes it; the right password is then refused', async () => {
  const user = await make.user(server.db);
  for (let i = 0; i < 12; i++) await logIn({ email: user.email, password: 'wrong' });
  await logIn({ email: user.email, password: user.password });
  expect(counts.get('lockout failure')).toBe(1);
  expect(recorded()[9]).toBe('lockout failure');
  expect(recorded().at(-1)).toBe('login failure password locked-out');
  expect(accounts()).toHaveLength(1);
});

test('a second factor: on, right, wrong, undone', async () => {
  const user = await make.user(server.db);
  await server.logIn(user);
  const person = await guarded(server, 'TOTP', user);
  expect(recorded()).toEqual(['login success password', 'two-factor-on success TOTP']);
  fromHere();
  const { email, password } = person.user;
  await logIn({ email, password, twoFactorCode: not(person.code()) });
  expect(recorded()).toEqual(['second-factor failure wrong', 'login failure second-factor']);
  fromHere();
  const token = await latestToken(server.db, email);
  await logIn({ email, password, twoFactorCode: person.code() });
  expect(recorded()).toEqual(['second-factor success', 'login success second-factor']);
  fromHere();
  await server.http.post('/api/v1/auth/undo').send({ token });
  expect(recorded()).toEqual(['two-factor-undo failure INVALID_TOKEN']);
  nothingOf(email, token, ...person.backupCodes);
});

test('turned off, and that undone', async () => {
  const person = await guarded(server);
  const { email, password } = person.user;
  fromHere();
  await person.post('/auth/2fa/disable', { password, code: person.backupCodes[0] });
  expect(recorded()).toEqual(['second-factor success', 'two-factor-off success']);
  fromHere();
  await server.http.post('/api/v1/auth/undo').send({ token: await latestToken(server.db, email) });
  expect(recorded()).toEqual(['two-factor-undo success']);
});

test('confirming: the wrong password, the wrong code, and both right', async () => {
  const person = await guarded(server);
  const { password } = person.user;
  fromHere();
  await person.post('/auth/confirm', { password: 'wrong' });
  await person.post('/auth/confirm', { password, twoFactorCode: not(person.code()) });
  await person.post('/auth/confirm', { password, twoFactorCode: person.code() });
  expect(recorded()).toEqual([
    'confirm failure INVALID_PASSWORD',
    'second-factor failure',
    'confirm failure INVALID_TWO_FACTOR_CODE',
    'second-factor success',
    'confirm success',
  ]);
  expect(accounts()).toHaveLength(1);
});

test('a refresh token that is used again', async () => {
  const user = await make.user(server.db);
  const { refreshToken } = await server.logIn(user);
  const refresh = () => server.http.post('/api/v1/auth/refresh').send({ refreshToken });
  await refresh();
  await execute(server.db, `UPDATE refresh_tokens SET rotated_at = rotated_at - interval '1 minute'`);
  fromHere();
  await refresh();
  expect(recorded()).toEqual(['refresh-token-reuse failure']);
  nothingOf(refreshToken, user.id);
});

test('a changed password, a wrong one, a session that is ended', async () => {
  const person = await signedIn(server);
  const other = await signedIn(server, person.user);
  fromHere();
  const [session] = await server.sessionsOf(person.user);
  await server.http
    .delete(`/api/v1/auth/sessions/${session!.id}`)
    .auth(other.accessToken, { type: 'bearer' });
  const change = { password: 'Umbrella-9-tango-Walrus', confirmPassword: 'Umbrella-9-tango-Walrus' };
  await other.post('/users/me/password', { ...change, currentPassword: 'wrong' });
  await other.post('/users/me/password', { ...change, currentPassword: person.user.password });
  expect(recorded()).toEqual([
    'session-revoked success',
    'password-change failure wrong',
    'password-change success',
  ]);
  nothingOf(change.password, session!.id);
});
