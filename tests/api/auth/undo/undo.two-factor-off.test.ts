import { firstRow } from '../../../../db/sql/query';
import { mailsTo } from '../../../support/checks/mail';
import { ownIdentityServer } from '../identity-server';
import { guarded, refusalOf } from '../two-factor/guarded';
import { successesAndRefusals, undoing, Undone } from './undoing';

const server = ownIdentityServer();

const { undo, tokenTo, logIn, factorOf, turnOff } = undoing(server);

describe('a second factor that was turned off', () => {
  test('200: it is in force again with the backup codes that were left, and every session ends', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const mail = (await mailsTo(server.db, person.user.email)).at(-1)!;
    expect(mail.subject).toBe('Two-factor sign-in is off');
    const { body } = await undo(mail.token!);
    expect(Undone.parse(body).data.undone).toBe('TWO_FACTOR_OFF');
    expect(await factorOf(person)).toEqual({ method: 'TOTP', codes: 9 });
    expect(await server.opens(person.accessToken)).toBe(false);
    expect((await logIn(person)).body.data.requiresTwoFactor).toBe(true);
    expect((await logIn(person, { twoFactorCode: person.code() })).status).toBe(200);
    expect((await logIn(person, { twoFactorCode: person.backupCodes[1] })).status).toBe(200);
    expect(await refusalOf(logIn(person, { twoFactorCode: person.backupCodes[0] }))).toBe(
      '401 INVALID_TWO_FACTOR_CODE',
    );
  });

  test('a code that signed in before it was turned off is not taken again', async () => {
    const person = await guarded(server);
    const used = person.code();
    expect((await logIn(person, { twoFactorCode: used })).status).toBe(200);
    await turnOff(person);
    await undo(await tokenTo(person));
    expect(await refusalOf(logIn(person, { twoFactorCode: used }))).toBe('401 INVALID_TWO_FACTOR_CODE');
  });

  test('400 INVALID_TOKEN once another is in force, and after that one is undone', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const off = await tokenTo(person);
    const later = await guarded(server, 'EMAIL', person.user);
    const mails = await mailsTo(server.db, later.user.email);
    const on = mails.findLast(({ subject }) => subject === 'Two-factor sign-in is on')!.token!;
    expect(await refusalOf(undo(off))).toBe('400 INVALID_TOKEN');
    expect((await undo(on)).status).toBe(200);
    expect(await refusalOf(undo(off))).toBe('400 INVALID_TOKEN');
    expect(await factorOf(person)).toBeNull();
  });

  test('nothing of it stays in the database once the token is used', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const kept = () =>
      firstRow<{ n: number }>(
        server.db,
        'SELECT count(*)::int AS n FROM mailed_tokens WHERE user_id = $1 AND undo_sealed IS NOT NULL',
        [person.user.id],
      );
    expect(await kept()).toEqual({ n: 1 });
    await undo(await tokenTo(person));
    expect(await kept()).toEqual({ n: 0 });
  });

  test('50 requests with one token at once: one success', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const token = await tokenTo(person);
    expect(await successesAndRefusals(Array.from({ length: 50 }, () => undo(token)))).toEqual([1, 49]);
    expect(await factorOf(person)).toEqual({ method: 'TOTP', codes: 9 });
  });
});
