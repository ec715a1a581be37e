import { v7 } from 'uuid';
import { execute, firstRow } from '../../../db/sql/query';
import { KeyRing } from '../../../db/sealing/key-ring';
import { mailsTo } from '../../support/checks/mail';
import { make } from '../../support/builders/make';
import { ownIdentityServer } from '../auth/identity-server';
import { StrictAccount } from './account.shape';

const server = ownIdentityServer();
/** The key that the test variables configure. */
const ring = new KeyRing([{ id: 'test', key: Buffer.alloc(32, 8) }]);

async function someone() {
  const user = await make.user(server.db);
  const { accessToken } = await server.logIn(user);
  const get = () => server.http.get('/api/v1/users/me').auth(accessToken, { type: 'bearer' });
  const patch = (body: object) =>
    server.http.patch('/api/v1/users/me').auth(accessToken, { type: 'bearer' }).send(body);
  const kept = () =>
    firstRow<{ method: string | null; sealed: Buffer | null; masked: string | null }>(
      server.db,
      `SELECT payout_method AS method, payout_sealed AS sealed, payout_masked AS masked FROM users WHERE id = $1`,
      [user.id],
    );
  return { user, get, patch, kept };
}

const iban = {
  method: 'BANK_TRANSFER',
  accountHolder: 'Ada Lovelace',
  iban: 'DE89 3704 0044 0532 0130 00',
} as const;

describe('GET', () => {
  test('200: a new account', async () => {
    const { user, get } = await someone();
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(StrictAccount.parse(body.data)).toMatchObject({
      id: user.id,
      email: user.email,
      phone: null,
      region: 'EU',
      roles: ['USER'],
      profile: { firstName: 'Ada', lastName: 'Lovelace', middleName: null },
      kyc: { status: 'NOT_STARTED', level: 'BASIC' },
      partner: null,
      security: { twoFactorEnabled: false, twoFactorMethod: null },
      payoutDetails: null,
    });
  });

  test('200: a partner with a second factor; one that was only set up does not count', async () => {
    const { user, get } = await someone();
    const partner = v7();
    await execute(
      server.db,
      `INSERT INTO partners (id, user_id, referral_code, status, joined_at) VALUES ($1, $2, 'ADA7KM2P', 'ACTIVE', now())`,
      [partner, user.id],
    );
    await execute(
      server.db,
      `INSERT INTO second_factors (user_id, method, created_at) VALUES ($1, 'EMAIL', now())`,
      [user.id],
    );
    expect((await get()).body.data).toMatchObject({
      partner: { id: partner, referralCode: 'ADA7KM2P', status: 'ACTIVE' },
      security: { twoFactorEnabled: false, twoFactorMethod: null },
    });
    await execute(server.db, 'UPDATE second_factors SET enabled_at = now() WHERE user_id = $1', [user.id]);
    const { data } = (await get()).body;
    expect(StrictAccount.parse(data).security).toEqual({ twoFactorEnabled: true, twoFactorMethod: 'EMAIL' });
  });

  test('401 UNAUTHORIZED without a token', async () => {
    const { status, body } = await server.http.get('/api/v1/users/me');
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('PATCH', () => {
  test('200: payout details are sealed to their owner and shown masked', async () => {
    const { user, patch, get, kept } = await someone();
    const { status, body } = await patch({ payoutDetails: iban });
    expect(status).toBe(200);
    expect(StrictAccount.parse(body.data).payoutDetails).toEqual({
      method: 'BANK_TRANSFER',
      maskedDetails: '•••• 3000',
    });
    expect((await get()).body.data).toEqual(body.data);
    const sealed = (await kept())!.sealed!;
    expect(sealed.toString('latin1')).not.toContain('3704');
    expect(JSON.parse(ring.open(sealed, `payout:${user.id}`).toString())).toEqual({
      ...iban,
      iban: 'DE89370400440532013000',
    });
    expect(() => ring.open(sealed, `payout:${v7()}`)).toThrow();
  });

  test.each([
    [{ method: 'CARD', accountHolder: 'A', cardNumber: '4242-4242 4242 4242' }, 'CARD', '•••• 4242'],
    [{ method: 'EWALLET', accountHolder: 'A', walletId: 'ada@wallet.example' }, 'EWALLET', '•••• mple'],
    [{ method: 'EWALLET', accountHolder: 'A', walletId: 'ab12' }, 'EWALLET', '•••• 12'],
    [
      {
        method: 'BANK_TRANSFER',
        accountHolder: 'A',
        accountNumber: '40817810099910004312',
        bik: '044525225',
      },
      'BANK_TRANSFER',
      '•••• 4312',
    ],
  ])('200: %j', async (payoutDetails, method, maskedDetails) => {
    const { patch } = await someone();
    const { body } = await patch({ payoutDetails });
    expect(body.data.payoutDetails).toEqual({ method, maskedDetails });
  });

  test('200: null removes them, an empty request changes nothing, and nothing else can be changed', async () => {
    const { user, patch, kept } = await someone();
    await patch({ payoutDetails: iban });
    const before = await kept();
    const more = {
      id: v7(),
      email: 'thief@example.com',
      roles: ['SUPER_ADMIN'],
      status: 'BANNED',
      kycLevel: 'ENHANCED',
      kyc: { level: 'ENHANCED' },
      emailVerifiedAt: null,
    };
    const { status, body } = await patch(more);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ email: user.email, roles: ['USER'], kyc: { level: 'BASIC' } });
    expect(await kept()).toEqual(before);
    expect((await patch({ payoutDetails: null })).body.data.payoutDetails).toBeNull();
    expect(await kept()).toEqual({ method: null, sealed: null, masked: null });
  });

  test('the owner is informed', async () => {
    const { user, patch } = await someone();
    await patch({ payoutDetails: iban });
    const mails = await mailsTo(server.db, user.email);
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).toContain('payout details were changed');
    expect(JSON.stringify(mails)).not.toContain('3000');
  });

  test.each([
    ['payoutDetails', { ...iban, method: 'CASH' }],
    ['payoutDetails.accountHolder', { ...iban, accountHolder: ' ' }],
    ['payoutDetails.iban', { ...iban, iban: 'DE88370400440532013000' }],
    ['payoutDetails.iban', { ...iban, iban: 'nonsense' }],
    ['payoutDetails.bik', { method: 'BANK_TRANSFER', accountHolder: 'A', accountNumber: '12345678' }],
    ['payoutDetails.accountNumber', { method: 'BANK_TRANSFER', accountHolder: 'A', bik: 'DEMODEFF' }],
    ['payoutDetails.cardNumber', { method: 'CARD', accountHolder: 'A', cardNumber: '4242424242424241' }],
    ['payoutDetails.cardNumber', { method: 'CARD', accountHolder: 'A' }],
    ['payoutDetails.walletId', { method: 'EWALLET', accountHolder: 'A' }],
    ['payoutDetails', 'x'],
  ])('400 VALIDATION_ERROR: %s', async (field, payoutDetails) => {
    const { patch, kept } = await someone();
    const { status, body } = await patch({ payoutDetails });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(body.error.details).join()).toMatch(new RegExp(`^${field}`));
    expect((await kept())!.method).toBeNull();
  });

  test('401 UNAUTHORIZED without a token', async () => {
    const { status, body } = await server.http.patch('/api/v1/users/me').send({});
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});
