import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { recordTouch } from '../../../../db/partners/link/referral-touch.writes';
import { firstRow, rows } from '../../../../db/sql/query';
import { registrationProcess } from '../../../../workflows/identity/registration/registration.contract';
import { atOnce } from '../../../support/requests/at-once';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { askAuth, newcomer, password, refusedWith } from '../../../support/builders/registering';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['interactive'] });

const pendingRegistrations = () => rows(world.db, 'SELECT user_id FROM pending_registrations');

describe('POST /auth/register refuses', () => {
  const register = (body: object) => askAuth(world, 'register', body);
  const userOf = (email: string) => firstRow(world.db, 'SELECT id FROM users WHERE email = $1', [email]);

  describe('400 VALIDATION_ERROR', () => {
    test.each([
      ['email', { email: 'nobody' }],
      ['email', { email: `${'x'.repeat(250)}@example.com` }],
      ['password', { password: 'Short-7' }],
      ['password', { password: 'no-upper-case-7' }],
      ['password', { password: 'NO-LOWER-CASE-7' }],
      ['password', { password: 'No-Digit-At-All' }],
      ['password', { password: `${password}${'x'.repeat(128)}` }],
      ['firstName', { firstName: 'G' }],
      ['firstName', { firstName: 'Gr4ce' }],
      ['lastName', { lastName: 'Hopper\r\nBcc: all@example.com' }],
      ['lastName', { lastName: '-Hopper' }],
      ['lastName', { lastName: 'Hopper  Ho' }],
      ['lastName', { lastName: 'x'.repeat(101) }],
      ['lastName', { lastName: '<b>Hopper</b>' }],
      ['phone', { phone: '030901820' }],
      ['phone', { phone: '+49301' }],
      ['acceptTerms', { acceptTerms: false }],
      ['acceptTerms', { acceptTerms: 'true' }],
      ['acceptPrivacy', { acceptPrivacy: undefined }],
      ['acceptMarketing', { acceptMarketing: 'yes' }],
      ['referralCode', { referralCode: '' }],
    ])('%s: %j', async (field, wrong) => {
      const body = newcomer(wrong);
      const answer = await register(body);
      expect(refusedWith(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(Object.keys(answer.body.error.details)).toEqual([field]);
      expect(await userOf(body.email)).toBeNull();
    });

    test('every letter of a long password counts', async () => {
      const body = newcomer({ password: `${'Long-enough-7-'.repeat(9)}A1` });
      expect((await register(body)).status).toBe(201);
      await askAuth(world, 'verify-email', { token: (await mailsTo(world.db, body.email))[0]!.token! });
      const logIn = (tried: string) => askAuth(world, 'login', { email: body.email, password: tried });
      expect((await logIn(body.password.slice(0, -1))).status).toBe(401);
      expect((await logIn(body.password)).status).toBe(200);
    });
  });

  describe('400 PASSWORD_TOO_WEAK', () => {
    test.each([
      ['Password123', {}],
      ['Qwertyuiop1', {}],
      ['Abcd1234', {}],
      [`Aa1${'a'.repeat(120)}`, {}],
      ['Hopper1906!', {}],
      ['GraceHopper1!', {}],
      ['Wojciechowska12', { lastName: 'Wojciechowska' }],
    ])('%s', async (weak, changes) => {
      const answer = await register(newcomer({ password: weak, ...changes }));
      expect(refusedWith(answer)).toEqual({ status: 400, code: 'PASSWORD_TOO_WEAK' });
      expect(answer.body.error.details).toEqual({ password: [expect.any(String)] });
    });
  });

  describe('409', () => {
    test('EMAIL_ALREADY_EXISTS, however the address is written', async () => {
      const body = newcomer();
      await register(body);
      const again = await register({ ...newcomer(), email: ` ${body.email.toUpperCase()} ` });
      expect(refusedWith(again)).toEqual({ status: 409, code: 'EMAIL_ALREADY_EXISTS' });
      expect(again.body.error.details).toEqual({ email: [expect.any(String)] });
      expect(await mailsTo(world.db, body.email)).toHaveLength(1);
      expect(await pendingRegistrations()).toEqual([]);
    });

    test('PHONE_ALREADY_EXISTS', async () => {
      const phone = '+14155552671';
      await register(newcomer({ phone }));
      const body = newcomer({ phone });
      const again = await register(body);
      expect(refusedWith(again)).toEqual({ status: 409, code: 'PHONE_ALREADY_EXISTS' });
      expect(await userOf(body.email)).toBeNull();
    });
  });

  test('404 INVALID_REFERRAL_CODE for a named one', async () => {
    const { referralCode } = await make.partner(world.db, { status: 'TERMINATED' });
    for (const code of ['NOBODY', referralCode]) {
      const answer = await register(newcomer({ referralCode: code }));
      expect(refusedWith(answer)).toEqual({ status: 404, code: 'INVALID_REFERRAL_CODE' });
    }
  });

  test('the input of a refused registration is deleted', async () => {
    const { email } = newcomer();
    await register(newcomer({ email }));
    await register(newcomer({ email }));
    expect(await pendingRegistrations()).toEqual([]);
  });
});

describe('POST /auth/register', () => {
  const register = (body: object, headers?: Record<string, string>) =>
    askAuth(world, 'register', body, headers);

  const RegisterAnswer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      id: z.uuid(),
      email: z.email(),
      status: z.literal('PENDING_VERIFICATION'),
      profile: z.strictObject({ firstName: z.string(), lastName: z.string() }),
      createdAt: z.iso.datetime(),
    }),
  });

  const userOf = (email: string) =>
    firstRow<Record<string, unknown>>(world.db, 'SELECT * FROM users WHERE email = $1', [email]);

  describe('201', () => {
    test('the account waits to be verified; a mail with a token is queued; nobody is signed in', async () => {
      const body = newcomer({ phone: '+4930901820', acceptMarketing: true });
      const answer = await register(body);
      expect(answer.status).toBe(201);
      const { data } = RegisterAnswer.parse(answer.body);
      expect(data).toMatchObject({ email: body.email, profile: { firstName: 'Grace', lastName: 'Hopper' } });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(await userOf(body.email)).toMatchObject({
        id: data.id,
        region: 'EU',
        status: 'PENDING_VERIFICATION',
        passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
        roles: ['USER'],
        phone: '+4930901820',
        acceptedMarketing: true,
        termsAcceptedAt: expect.any(Date),
        kycLevel: 'NONE',
        emailVerifiedAt: null,
        sponsorId: null,
      });
      const [mail, ...more] = await mailsTo(world.db, body.email);
      expect(more).toEqual([]);
      expect(mail!.token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(mail!.text).toContain(mail!.token);
    });

    test('the token is stored as a hash only, for 24 hours, and the stored registration is deleted', async () => {
      const body = newcomer();
      const { id } = (await register(body)).body.data;
      const [mail] = await mailsTo(world.db, body.email);
      const token = await firstRow<Record<string, unknown>>(
        world.db,
        `SELECT token_hash, extract(epoch FROM expires_at - created_at)::int AS seconds FROM mailed_tokens WHERE user_id = $1`,
        [id],
      );
      expect(token).toEqual({ tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/), seconds: 86_400 });
      expect(JSON.stringify(token)).not.toContain(mail!.token);
      expect(await pendingRegistrations()).toEqual([]);
    });

    test('its process carries ids and nothing personal', async () => {
      const body = newcomer({ firstName: 'Zuzanna', lastName: 'Wojciechowska' });
      const { id } = (await register(body)).body.data;
      const handle = world.temporal.workflow.getHandle(registrationProcess.id({ userId: id }));
      const { events } = await handle.fetchHistory();
      const payloads = JSON.stringify(events, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      );
      const [mail] = await mailsTo(world.db, body.email);
      expect(payloads).toContain(id);
      for (const secret of [body.email, body.firstName, body.lastName, password, 'argon2', mail!.token!])
        expect(payloads).not.toContain(secret);
    });

    test('mass assignment: roles, status, kycLevel, emailVerifiedAt and the like have no effect', async () => {
      const body = newcomer({
        id: randomUUID(),
        roles: ['SUPER_ADMIN'],
        status: 'ACTIVE',
        kycLevel: 'ENHANCED',
        kycStatus: 'APPROVED',
        emailVerifiedAt: '2026-01-01T00:00:00Z',
        isPartner: true,
        sponsorId: randomUUID(),
        region: 'US',
      });
      const answer = await register(body);
      const { meta, ...registered } = answer.body as { meta: { ignored: string[] } };
      RegisterAnswer.parse(registered);
      expect(meta.ignored).toEqual(expect.arrayContaining(['roles', 'status', 'kycLevel', 'region']));
      expect(await userOf(body.email)).toMatchObject({
        id: answer.body.data.id,
        roles: ['USER'],
        status: 'PENDING_VERIFICATION',
        kycLevel: 'NONE',
        kycStatus: 'NOT_STARTED',
        emailVerifiedAt: null,
        sponsorId: null,
        region: 'EU',
      });
      expect(answer.body.data.id).not.toBe((body as { id?: string }).id);
    });

    test('the same request under one key opens one account; the answer is the same', async () => {
      const body = newcomer();
      const key = { 'Idempotency-Key': randomUUID() };
      const [first, second] = [await register(body, key), await register(body, key)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body).toEqual(first.body);
      expect(await mailsTo(world.db, body.email)).toHaveLength(1);
    });

    test('one address is one account per region, and the region is the one chosen before', async () => {
      const body = newcomer();
      expect((await register(body)).status).toBe(201);
      expect((await register(body, { Cookie: 'svc_region=US' })).status).toBe(201);
      expect(
        await rows(world.db, 'SELECT region FROM users WHERE email = $1 ORDER BY region', [body.email]),
      ).toEqual([{ region: 'EU' }, { region: 'US' }]);
    });

    test.each([
      ['Jean-Luc', 'O’Neill'],
      ['Mary Ann', "d'Arc"],
      ['Zoë', 'Грейс'],
      ['明华', 'Ångström'],
    ])('%s %s is a name', async (firstName, lastName) => {
      const answer = await register(newcomer({ firstName: ` ${firstName} `, lastName }));
      expect(answer.body.data.profile).toEqual({ firstName, lastName });
    });
  });

  describe('sponsor', () => {
    const sponsorOf = async (body: object, headers?: Record<string, string>) => {
      const whole = newcomer(body);
      const answer = await register(whole, headers);
      expect(answer.status).toBe(201);
      return (await userOf(whole.email))?.['sponsorId'];
    };

    test('the code in the body wins over the cookie', async () => {
      const [named, remembered] = [await make.partner(world.db), await make.partner(world.db)];
      const headers = { Cookie: `svc_ref_code=${remembered.referralCode}` };
      expect(await sponsorOf({ referralCode: named.referralCode.toLowerCase() }, headers)).toBe(named.id);
      expect(await sponsorOf({}, headers)).toBe(remembered.id);
    });

    test('a code in the cookie that is unknown, or of a partner who is no longer active, is ignored', async () => {
      const { referralCode } = await make.partner(world.db, { status: 'SUSPENDED' });
      expect(await sponsorOf({}, { Cookie: `svc_ref_code=${referralCode}` })).toBeNull();
      expect(await sponsorOf({}, { Cookie: `svc_ref_code=NOBODY; svc_ref_link_id=nonsense` })).toBeNull();
    });

    test('the referral touch in the cookie is linked to the account', async () => {
      const partner = await make.partner(world.db);
      const touch = {
        ...{ linkId: null, link: null },
        code: partner.referralCode,
        utm: { source: null, medium: null, campaign: null },
        landingPage: '/products',
        ipAddress: '192.0.2.7',
        userAgent: 'Test/1',
        at: new Date(),
      };
      const { id: linkId } = (await recordTouch(world.db, touch, 30))!;
      const headers = { Cookie: `svc_ref_code=${partner.referralCode}; svc_ref_link_id=${linkId}` };
      const body = newcomer();
      const { id } = (await register(body, headers)).body.data;
      expect(
        await firstRow(world.db, 'SELECT converted_user_id AS id FROM referral_touches WHERE id = $1', [
          linkId,
        ]),
      ).toEqual({ id });
    });
  });

  test('the same address 50 times at once: one account, one mail, and the others are refused', async () => {
    const { email } = newcomer();
    const body = newcomer({ email });
    const answers = await atOnce(50, (_, key) => register(body, { 'idempotency-key': key }));
    const counted = answers.map((answer) => refusedWith(answer).code ?? answer.status);
    expect(counted.filter((code) => code === 201)).toHaveLength(1);
    expect(counted.filter((code) => code === 'EMAIL_ALREADY_EXISTS')).toHaveLength(49);
    expect(await rows(world.db, 'SELECT id FROM users WHERE email = $1', [email])).toHaveLength(1);
    expect(await mailsTo(world.db, email)).toHaveLength(1);
    expect(await pendingRegistrations()).toEqual([]);
  });
});
