import speakeasy from 'speakeasy';
import { execute } from '../../../../db/sql/query';
import { mailsTo, owedMessages } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { signIn } from '../../../support/builders/sign-in';
import type { ownIdentityServer } from '../identity-server';

export type Server = ReturnType<typeof ownIdentityServer>;
export type Method = 'TOTP' | 'SMS' | 'EMAIL';

/** A signed-in person. */
export interface Person {
  user: User;
  accessToken: string;
  post: (path: string, body: object) => ReturnType<Server['http']['post']>;
}

/** A person with two-factor sign-in. */
export interface Guarded extends Person {
  /** Base32; empty for other methods than TOTP. */
  secret: string;
  backupCodes: string[];
  /** A code that is valid now, or was or will be some steps earlier or later. */
  code: (stepsAhead?: number) => string;
}

let phones = 0;

/** The session is inserted: checking a password takes longer than most of these tests. */
export async function signedIn(server: Server, made?: User): Promise<Person> {
  const user = made ?? (await make.user(server.db));
  const accessToken = await signIn(server, user);
  const post = (path: string, body: object) =>
    server.http.post(`/api/v1${path}`).auth(accessToken, { type: 'bearer' }).send(body);
  return { user, accessToken, post };
}

/** Turns on two-factor sign-in over HTTP, and lets enough time pass for the app's next code. */
export async function guarded(server: Server, method: Method = 'TOTP', made?: User): Promise<Guarded> {
  const person = await signedIn(server, made);
  if (method === 'SMS') await givePhone(server, person.user);
  const setup = await person.post('/auth/2fa/setup', { method });
  const secret: string = setup.body.data.secret ?? '';
  const code = (stepsAhead = 0) => appCode(secret, stepsAhead);
  const first = method === 'TOTP' ? code() : await lastCode(server, person.user);
  const { body } = await person.post('/auth/2fa/verify', { code: first });
  await forgetSteps(server, person.user);
  return { ...person, secret, code, backupCodes: body.data.backupCodes };
}

/** Sets a verified telephone number. */
export async function givePhone(server: Server, { id }: Pick<User, 'id'>): Promise<string> {
  const phone = `+4930901${String(++phones).padStart(3, '0')}`;
  await execute(server.db, 'UPDATE users SET phone = $2, phone_verified_at = now() WHERE id = $1', [
    id,
    phone,
  ]);
  return phone;
}

/** The code that an authenticator app shows, some steps of 30 s from now. */
export const appCode = (secret: string, stepsAhead = 0): string =>
  speakeasy.totp({ secret, encoding: 'base32', time: Date.now() / 1000 + stepsAhead * 30 });

/** A code of six digits that is not this one. */
export const not = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Replaces a minute's wait: the app then shows an unused code. */
export async function forgetSteps(server: Server, { id }: Pick<User, 'id'>): Promise<void> {
  await execute(server.db, 'UPDATE second_factors SET last_step = 0 WHERE user_id = $1', [id]);
}

/** Every code that was sent to a person, oldest first. */
export async function codesSent(
  server: Server,
  { id }: Pick<User, 'id'>,
): Promise<{ kind: string; recipient: string; code: string; text: string }[]> {
  const messages = await owedMessages(
    server.db,
    `reference IN (SELECT 'code:' || id FROM sent_codes WHERE user_id = $1)`,
    [id],
  );
  return messages.map(({ kind, recipient, code, text }) => ({ kind, recipient, code: code!, text }));
}

export async function lastCode(server: Server, user: Pick<User, 'id'>): Promise<string> {
  const codes = await codesSent(server, user);
  return codes.at(-1)!.code;
}

/** Lets ten minutes pass for the codes that were sent. */
export async function letCodesExpire(server: Server, { id }: Pick<User, 'id'>): Promise<void> {
  await execute(server.db, `UPDATE sent_codes SET expires_at = now() WHERE user_id = $1`, [id]);
}

/** The subjects of the mails to a person, oldest first. */
export async function subjectsTo(server: Server, { email }: Pick<User, 'email'>): Promise<string[]> {
  const mails = await mailsTo(server.db, email);
  return mails.map(({ subject }) => subject);
}

/** Status and code of a refusal. */
export const refusalOf = async (
  request: PromiseLike<{ status: number; body: { error?: { code?: string } } }>,
): Promise<string> => {
  const { status, body } = await request;
  return `${status} ${body.error?.code}`;
};
