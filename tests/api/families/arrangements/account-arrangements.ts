import { firstRow } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { latestToken, owedMessages } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { personalInfo } from '../../../support/builders/kyc/personal-info';
import { registered } from '../../../support/builders/registering';
import { forgotten } from '../../../support/builders/resetting';
import { signIn } from '../../../support/builders/sign-in';
import { begunVerification } from '../../../support/builders/kyc/verifying';
import { documentIn } from '../../admin/kyc/cases';
import { picture } from '../../users/pictures';
import type { Arrange } from './arranged';
import type { FamilyWorld } from './family-world';

let phones = 0;
export const somePhone = (): string => `+49309018${String(1000 + phones++)}`;
let addresses = 0;
export const someEmail = (): string => `family${addresses++}@example.com`;
const address: Arrange = async (family, as) => ({
  params: { id: await make.address(family.world.db, as.user.id) },
});
const verification: Arrange = async ({ world }, { user }) => {
  await begunVerification(world.db, { user });
  return {};
};
const document: Arrange = async ({ world }, { user }) => {
  const { documentIds } = await begunVerification(world.db, { user });
  return { params: { id: documentIds.PASSPORT! } };
};
const storedDocument: Arrange = async ({ world }, { user }) => {
  const { kycId } = await begunVerification(world.db, { user });
  return { params: { id: await documentIn(world, { id: kycId, user }) } };
};
const session: Arrange = async ({ world }, as) => {
  await signIn(world, as.user);
  const newest = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
    [as.user.id],
  );
  return { params: { id: newest!.id } };
};
const refreshToken: Arrange = async ({ world }, { user }) => {
  const { body } = await world.http
    .post('/api/v1/auth/login')
    .send({ email: user.email, password: user.password });
  return { body: { refreshToken: body.data.refreshToken } };
};
const newPassword = 'Umbrella-9-tango-Walrus';
const mailedCode = (family: FamilyWorld, recipient: string): Promise<string> =>
  eventually(async () => {
    const messages = await owedMessages(family.world.db, 'recipient = $1', [recipient]);
    return messages.findLast(({ code }) => code !== null)!.code!;
  });

/** Signing in, and the caller's own account. */
export const accountArrangements: Readonly<Record<string, Arrange>> = {
  'POST /auth/register': () => ({
    body: { email: someEmail(), phone: somePhone(), referralCode: undefined },
  }),
  'POST /auth/verify-email': async ({ world }) => ({ body: { token: (await registered(world)).token } }),
  'POST /auth/resend-verification': async ({ world }) => ({
    body: { email: (await registered(world)).email },
  }),
  'POST /auth/forgot-password': (_, { user }) => ({ body: { email: user.email } }),
  'POST /auth/reset-password': async ({ world }, { user }) => ({
    body: { token: await forgotten(world, user.email), password: newPassword, confirmPassword: newPassword },
  }),
  'POST /auth/login': (_, { user: { email, password } }) => ({ body: { email, password } }),
  'POST /auth/logout': refreshToken,
  'POST /auth/refresh': refreshToken,
  'DELETE /auth/sessions/:id': session,
  'POST /auth/confirm': (_, { user }) => ({ body: { password: user.password, twoFactorCode: undefined } }),
  'POST /auth/undo': async (family, as) => {
    await family.post('/auth/2fa/setup', { method: 'EMAIL' }, as);
    await family.post('/auth/2fa/verify', { code: await mailedCode(family, as.user.email) }, as);
    return { body: { token: await latestToken(family.world.db, as.user.email) } };
  },
  'POST /auth/2fa/setup': () => ({ body: { method: 'EMAIL' } }),
  'POST /auth/2fa/verify': async (family, as) => {
    await family.post('/auth/2fa/setup', { method: 'EMAIL' }, as);
    return { body: { code: await mailedCode(family, as.user.email) } };
  },
  'POST /auth/2fa/disable': async (family, as) => {
    await family.post('/auth/2fa/setup', { method: 'EMAIL' }, as);
    const code = await mailedCode(family, as.user.email);
    const { backupCodes } = await family.post('/auth/2fa/verify', { code }, as);
    return { body: { password: as.user.password, code: (backupCodes as string[])[0] } };
  },
  'DELETE /users/me': (_, { user }) => ({ body: { password: user.password } }),
  'POST /users/me/avatar': async () => {
    const file = await picture('png');
    return { sending: (request) => request.attach('file', file, 'me.png') };
  },
  'POST /users/me/password': (_, { user }) => ({
    body: { currentPassword: user.password, password: newPassword, confirmPassword: newPassword },
  }),
  'POST /users/me/phone': () => ({ body: { phone: somePhone() } }),
  'POST /users/me/phone/verify': async (family, as) => {
    const phone = somePhone();
    await family.post('/users/me/phone', { phone }, as);
    return { body: { code: await mailedCode(family, phone) } };
  },
  'POST /users/kyc': () => ({ body: { personalInfo, requestedLevel: 'ENHANCED' } }),
  'POST /users/kyc/submit': verification,
  'POST /kyc/documents': async (family, as) => {
    await verification(family, as);
    const file = await picture('png');
    return { sending: (request) => request.field('type', 'SELFIE').attach('file', file, 'me.png') };
  },
  'GET /users/kyc/documents/:id': storedDocument,
  'DELETE /users/kyc/documents/:id': document,
  'PATCH /users/me/addresses/:id': address,
  'DELETE /users/me/addresses/:id': address,
};
