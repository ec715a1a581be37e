import { randomUUID } from 'node:crypto';
import { registrationActivities } from '../../../../activities/identity/registration/registration.activities';
import { policyFrom } from '../../../../db/policy/config';
import { keepPendingRegistration } from '../../../../db/identity/registration/pending-registration.writes';
import { changeUser } from '../../../../api/admin/users/change.command';
import { execute, firstRow } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { ownIdentityServer } from '../../auth/identity-server';
import { lastCode, signedIn, type Person } from '../../auth/two-factor/guarded';

const server = ownIdentityServer();
let numbers = 0;
const nextPhone = () => `+4930905${String(++numbers).padStart(3, '0')}`;

const named = async (phone: string, options: Parameters<typeof make.user>[1] = {}): Promise<User> => {
  const user = await make.user(server.db, options);
  await execute(server.db, 'UPDATE users SET phone = $2 WHERE id = $1', [user.id, phone]);
  return user;
};
const phoneOf = ({ id }: Pick<User, 'id'>) =>
  server.one('SELECT phone, phone_verified_at IS NOT NULL AS verified FROM users WHERE id = $1', [id]);
const ask = async (person: Person, phone: string): Promise<string> => {
  await person.post('/users/me/phone', { phone });
  return lastCode(server, person.user);
};
const verify = (person: Person, code: string) => person.post('/users/me/phone/verify', { code });
const deadlocks = async () =>
  (await firstRow<{ n: number }>(
    server.db,
    `SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()`,
  ))!.n;

/** The outcome of registering with this number, by the activity itself. */
async function register(phone: string): Promise<string> {
  const userId = randomUUID();
  await keepPendingRegistration(server.db, {
    userId,
    region: 'EU',
    email: `${userId}@example.com`,
    passwordHash: 'x',
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone,
    acceptedMarketing: false,
    sponsorId: null,
    touchId: null,
  });
  const at = new Date().toISOString();
  return registrationActivities({ db: server.db, policy: policyFrom({}) })
    .register({ userId, tokenId: randomUUID(), at })
    .then(
      () => 'registered',
      (error: unknown) => refusalIn(error)?.code ?? String(error),
    );
}

test('proving a number removes it from the accounts of the region that only named it', async () => {
  const phone = nextPhone();
  const squatters = [await named(phone), await named(phone, { status: 'PENDING_VERIFICATION' })];
  const elsewhere = await named(phone, { region: 'US' });
  const owner = await signedIn(server);
  expect((await verify(owner, await ask(owner, phone))).status).toBe(200);
  expect(await phoneOf(owner.user)).toEqual({ phone, verified: true });
  for (const squatter of squatters) expect(await phoneOf(squatter)).toEqual({ phone: null, verified: false });
  expect(await phoneOf(elsewhere)).toEqual({ phone, verified: false });
});

test('a wrong code removes nothing', async () => {
  const phone = nextPhone();
  const other = await named(phone);
  const person = await signedIn(server);
  const code = await ask(person, phone);
  expect((await verify(person, code === '000000' ? '000001' : '000000')).status).toBe(400);
  expect(await phoneOf(other)).toEqual({ phone, verified: false });
});

test('two who named each other’s number prove at once: one has it, and nothing deadlocks', async () => {
  const before = await deadlocks();
  for (let round = 0; round < 4; round++) {
    const phone = nextPhone();
    const people = [await signedIn(server, await named(phone)), await signedIn(server, await named(phone))];
    const codes = [await ask(people[0]!, phone), await ask(people[1]!, phone)];
    const answers = await Promise.all(people.map((person, i) => verify(person, codes[i]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const owners = await Promise.all(people.map(({ user }) => phoneOf(user)));
    expect(owners).toContainEqual({ phone, verified: true });
    expect(owners).toContainEqual({ phone: null, verified: false });
  }
  expect(await deadlocks()).toBe(before);
});

test('the database refuses a number that two accounts of a region have proven', async () => {
  const phone = nextPhone();
  const prove = ({ id }: User) =>
    execute(server.db, 'UPDATE users SET phone_verified_at = now() WHERE id = $1', [id]);
  const people = [await named(phone), await named(phone), await named(phone, { region: 'US' })];
  await prove(people[0]!);
  await prove(people[2]!);
  await expect(prove(people[1]!)).rejects.toMatchObject({
    parent: { constraint: 'users_region_proven_phone_key' },
  });
});

test('PHONE_ALREADY_EXISTS at registration for a number that any account of the region has named', async () => {
  const phone = nextPhone();
  await named(phone, { region: 'US' });
  expect(await register(phone)).toBe('registered');
  expect(await register(phone)).toBe('PHONE_ALREADY_EXISTS');
});

test('of many who register with one number at once, one does', async () => {
  await Promise.all(Array.from({ length: 8 }, () => firstRow(server.db, 'SELECT pg_sleep(0.05)')));
  for (let round = 0; round < 3; round++) {
    const phone = nextPhone();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => register(phone)));
    expect(outcomes.sort()).toEqual([...Array<string>(7).fill('PHONE_ALREADY_EXISTS'), 'registered']);
  }
});

test('an administrator who sets a number while its owner proves it: one of both has it', async () => {
  const admin = await make.admin(server.db);
  for (let round = 0; round < 4; round++) {
    const phone = nextPhone();
    const [owner, other] = [await signedIn(server), await make.user(server.db)];
    const code = await ask(owner, phone);
    const by = { id: admin.id, clientAddress: '192.0.2.1' };
    const set = changeUser(server.db, { userId: other.id, changes: { phone }, note: null, by }).catch(
      (error: unknown) => refusalIn(error)?.code,
    );
    const [proven] = await Promise.all([verify(owner, code), set]);
    expect(proven.status).toBe(200);
    expect(await phoneOf(owner.user)).toEqual({ phone, verified: true });
    expect(await phoneOf(other)).toEqual({ phone: null, verified: false });
  }
});
