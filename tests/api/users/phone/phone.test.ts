import { randomUUID } from 'node:crypto';
import { execute, firstRow } from '../../../../db/sql/query';
import { registrationActivities } from '../../../../activities/identity/registration/registration.activities';
import { policyFrom } from '../../../../db/policy/config';
import { keepPendingRegistration } from '../../../../db/identity/registration/pending-registration.writes';
import { changeUser } from '../../../../api/admin/users/change.command';
import { refusalIn } from '../../../../workflows/errors';
import { ageSessions } from '../../../support/builders/aging';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { ownIdentityServer } from '../../auth/identity-server';
import {
  codesSent,
  givePhone,
  guarded,
  lastCode,
  letCodesExpire,
  not,
  refusalOf,
  signedIn,
  type Person,
} from '../../auth/two-factor/guarded';

const server = ownIdentityServer();

describe('POST /users/me/phone', () => {
  const phone = '+4930901820';

  const phoneOf = ({ id }: { id: string }) =>
    server.one('SELECT phone, phone_verified_at IS NOT NULL AS verified FROM users WHERE id = $1', [id]);

  describe('200', () => {
    test('a code goes to the number, which belongs to no account until the code comes back', async () => {
      const { user, post } = await signedIn(server);
      const { status, body } = await post('/users/me/phone', { phone });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        data: { message: expect.any(String), maskedDestination: '+49*****820' },
      });
      expect(await codesSent(server, user)).toMatchObject([{ kind: 'SMS', recipient: phone }]);
      expect(await phoneOf(user)).toEqual({ phone: null, verified: false });
      expect((await (await signedIn(server)).post('/users/me/phone', { phone })).status).toBe(200);
    });

    test('the number that was named at registration is confirmed the same way', async () => {
      const { user, post } = await signedIn(server);
      await execute(server.db, `UPDATE users SET phone = '+4930901444' WHERE id = $1`, [user.id]);
      await post('/users/me/phone', { phone: '+4930901444' });
      await post('/users/me/phone/verify', { code: await lastCode(server, user) });
      expect(await phoneOf(user)).toEqual({ phone: '+4930901444', verified: true });
    });

    test('sent twice under one Idempotency-Key, one message goes out', async () => {
      const { user, post } = await signedIn(server);
      for (let i = 0; i < 2; i++)
        expect((await post('/users/me/phone', { phone }).set('Idempotency-Key', 'once')).status).toBe(200);
      expect(await codesSent(server, user)).toHaveLength(1);
    });

    test('one number may be in several regions', async () => {
      const other = await make.user(server.db, { region: 'US' });
      const taken = await givePhone(server, other);
      const { post } = await signedIn(server);
      expect((await post('/users/me/phone', { phone: taken })).status).toBe(200);
    });
  });

  describe('refusals', () => {
    test('403 REAUTHENTICATION_REQUIRED on an older session, 401 INVALID_PASSWORD with a wrong password', async () => {
      const { user, post } = await signedIn(server);
      await ageSessions(server.db, user);
      const ask = (more: object) => post('/users/me/phone', { phone: '+4930901777', ...more });
      expect(await refusalOf(ask({}))).toBe('403 REAUTHENTICATION_REQUIRED');
      expect(await refusalOf(ask({ password: 'wrong' }))).toBe('401 INVALID_PASSWORD');
      expect(await codesSent(server, user)).toEqual([]);
      expect((await ask({ password: user.password })).status).toBe(200);
    });

    test.each([undefined, 5, '', '030901820', '+49 30 901820', '+491', 'tel:+4930901820'])(
      '400 VALIDATION_ERROR: %j',
      async (wrong) => {
        const { user, post } = await signedIn(server);
        expect(await refusalOf(post('/users/me/phone', { phone: wrong }))).toBe('400 VALIDATION_ERROR');
        expect(await codesSent(server, user)).toEqual([]);
      },
    );

    test('409 PHONE_ALREADY_EXISTS: proven by another, or mine already; one that was only named is free', async () => {
      const other = await make.user(server.db);
      const taken = await givePhone(server, other);
      const { user, post } = await signedIn(server);
      expect(await refusalOf(post('/users/me/phone', { phone: taken }))).toBe('409 PHONE_ALREADY_EXISTS');
      const mine = await givePhone(server, user);
      expect(await refusalOf(post('/users/me/phone', { phone: mine }))).toBe('409 PHONE_ALREADY_EXISTS');
      expect(await codesSent(server, user)).toEqual([]);
      await execute(server.db, 'UPDATE users SET phone_verified_at = NULL WHERE id = $1', [other.id]);
      expect((await post('/users/me/phone', { phone: taken })).status).toBe(200);
    });

    test('API2: 403 FORBIDDEN while codes for signing in go to the number', async () => {
      const { user, post } = await guarded(server, 'SMS');
      const before = await phoneOf(user);
      expect(await refusalOf(post('/users/me/phone', { phone }))).toBe('403 FORBIDDEN');
      expect(await phoneOf(user)).toEqual(before);
    });

    test('API4: 429 RATE_LIMIT_EXCEEDED for the 4th message of an account in an hour, also when they race', async () => {
      const http = server.start({ RATE_LIMIT_SCALE: '1' });
      const { user, accessToken } = await signedIn(server);
      const ask = (n: number) =>
        http
          .post('/api/v1/users/me/phone')
          .auth(accessToken, { type: 'bearer' })
          .send({ phone: `+493090190${n}` });
      const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(n)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
      expect(await codesSent(server, user)).toHaveLength(3);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    });

    test('API4: 429 for the 7th message to one number, by any account', async () => {
      const http = server.start({ RATE_LIMIT_SCALE: '1' });
      const people = await Promise.all(Array.from({ length: 8 }, () => signedIn(server)));
      const answers = await Promise.all(
        people.map(({ accessToken }) =>
          http
            .post('/api/v1/users/me/phone')
            .auth(accessToken, { type: 'bearer' })
            .send({ phone: '+4930901999' }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(6).fill(200), 429, 429]);
    });
  });
});

describe('POST /users/me/phone/verify', () => {
  let numbers = 0;
  const nextPhone = () => `+4930902${String(++numbers).padStart(3, '0')}`;

  const verify = ({ post }: Person, code: string) => post('/users/me/phone/verify', { code });

  async function codeSent() {
    const person = await signedIn(server);
    const phone = nextPhone();
    await person.post('/users/me/phone', { phone });
    return { person, phone, code: await lastCode(server, person.user) };
  }

  const phoneOf = ({ user: { id } }: Person) =>
    server.one('SELECT phone, phone_verified_at IS NOT NULL AS verified FROM users WHERE id = $1', [id]);

  describe('200', () => {
    test('the number is mine and replaces the one before', async () => {
      const { person, phone, code } = await codeSent();
      await givePhone(server, person.user);
      const { status, body } = await verify(person, code);
      expect(status).toBe(200);
      expect(body).toEqual({ success: true, data: { phone, phoneVerified: true } });
      expect(await phoneOf(person)).toEqual({ phone, verified: true });
    });

    test('of many at once one is answered', async () => {
      const { person, code } = await codeSent();
      const answers = await Promise.all(Array.from({ length: 10 }, () => verify(person, code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    });

    test('API2: a factor set up for the number before is not enabled for this one', async () => {
      const { person, code } = await codeSent();
      await givePhone(server, person.user);
      await person.post('/auth/2fa/setup', { method: 'SMS' });
      const ofSetup = await lastCode(server, person.user);
      await verify(person, code);
      expect(await refusalOf(person.post('/auth/2fa/verify', { code: ofSetup }))).toBe(
        '400 SETUP_NOT_INITIATED',
      );
    });
  });

  describe('refusals', () => {
    test.each(['12345', 'abcdef', ''])('400 VALIDATION_ERROR: %j', async (code) => {
      const { person } = await codeSent();
      expect(await refusalOf(verify(person, code))).toBe('400 VALIDATION_ERROR');
    });

    test('400 SETUP_NOT_INITIATED: no code was requested, or it was used', async () => {
      expect(await refusalOf(verify(await signedIn(server), '123456'))).toBe('400 SETUP_NOT_INITIATED');
      const { person, code } = await codeSent();
      await verify(person, code);
      expect(await refusalOf(verify(person, code))).toBe('400 SETUP_NOT_INITIATED');
    });

    test('400 SETUP_NOT_INITIATED: the number became another’s meanwhile; of two one has it', async () => {
      const [first, second] = [await signedIn(server), await signedIn(server)];
      const phone = nextPhone();
      for (const { post } of [first, second]) await post('/users/me/phone', { phone });
      const answers = await Promise.all(
        [first, second].map(async (person) => verify(person, await lastCode(server, person.user))),
      );
      expect(answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`).sort()).toEqual([
        '200 ',
        '400 SETUP_NOT_INITIATED',
      ]);
    });

    test('400 INVALID_CODE: wrong, and after 5 wrong ones the right one too', async () => {
      const { person, code } = await codeSent();
      for (let i = 0; i < 5; i++) expect(await refusalOf(verify(person, not(code)))).toBe('400 INVALID_CODE');
      expect(await refusalOf(verify(person, code))).toBe('400 INVALID_CODE');
      expect(await phoneOf(person)).toEqual({ phone: null, verified: false });
    });

    test('400 CODE_EXPIRED after 10 minutes', async () => {
      const { person, code } = await codeSent();
      await letCodesExpire(server, person.user);
      expect(await refusalOf(verify(person, code))).toBe('400 CODE_EXPIRED');
    });

    test('API2: 403 FORBIDDEN when sign-in by SMS was turned on meanwhile', async () => {
      const { person, code } = await codeSent();
      const before = await givePhone(server, person.user);
      await person.post('/auth/2fa/setup', { method: 'SMS' });
      await person.post('/auth/2fa/verify', { code: await lastCode(server, person.user) });
      expect(await refusalOf(verify(person, code))).toBe('403 FORBIDDEN');
      expect(await phoneOf(person)).toEqual({ phone: before, verified: true });
    });

    test('401 UNAUTHORIZED without a token; another’s code does not count', async () => {
      const { person, code } = await codeSent();
      expect(await refusalOf(server.http.post('/api/v1/users/me/phone/verify').send({ code }))).toBe(
        '401 UNAUTHORIZED',
      );
      expect(await refusalOf(verify(await signedIn(server), code))).toBe('400 SETUP_NOT_INITIATED');
      await execute(server.db, 'UPDATE sent_codes SET tries = 4 WHERE user_id = $1', [person.user.id]);
      expect((await verify(person, code)).status).toBe(200);
    });
  });
});

describe('whose number it is', () => {
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
    for (const squatter of squatters)
      expect(await phoneOf(squatter)).toEqual({ phone: null, verified: false });
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
});
