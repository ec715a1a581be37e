import { z } from 'zod';
import { presentedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { verifiedUser } from '../../../db/identity/user/user.reads';
import { refusal, refusalIn } from '../../../workflows/errors';
import {
  registrationProcess,
  verifyEmail,
} from '../../../workflows/identity/registration/registration.contract';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { authPerMinute } from '../../http/limits/limits';
import { accountEmail } from '../../http/request/person-fields';
import { mailedToken } from '../mailed-token.view';

export const verifyEmailEndpoint = endpoint({
  id: 'verifyEmail',
  returns: 'The account, whose email address is now verified',
  method: 'post',
  path: '/auth/verify-email',
  summary: 'Verify an email address with the token that was sent to it',
  description: 'The token comes by email after registration. Signing in is possible from then on.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),

  body: z
    .object({ token: mailedToken().describe('The token from the email; it works once.') })
    .meta({ id: 'VerifyEmailRequest' }),
  success: 200,
  data: z
    .object({
      message: z.string(),
      user: z
        .object({
          id: z.uuid(),
          email: accountEmail(),
          status: z.literal('ACTIVE'),
          emailVerifiedAt: z.iso.datetime().describe('When the email address was proven.'),
        })
        .describe('The user whose address it is.'),
    })
    .meta({ id: 'VerifyEmailResult' }),
  errors: { INVALID_TOKEN: 400, TOKEN_EXPIRED: 400, ALREADY_VERIFIED: 409 },

  async handle({ body: { token } }, context) {
    const { db } = context;
    const presented = await presentedToken(db, 'VERIFY_EMAIL', token);
    if (!presented) throw refusal('INVALID_TOKEN');
    const { id: tokenId, userId } = presented;
    const emailVerifiedAt = await verified(context, token, { userId, tokenId });
    const user = await verifiedUser(db, userId);
    if (!user) throw refusal('INVALID_TOKEN'); // Deleted just now.
    const message = 'Your email address is verified. You can sign in now.';
    return { message, user: { id: userId, email: user.email, status: 'ACTIVE' as const, emailVerifiedAt } };
  },
});

/** Has the registration's process verify the address. A closed process means: verified before, or removed. */
async function verified(
  { db, mint, processes, request }: Context,
  token: string,
  { userId, tokenId }: { userId: string; tokenId: string },
): Promise<string> {
  try {
    const options = { updateId: request.idempotencyId };
    const { use: useId } = await mint('use');
    const { verifiedAt } = await processes.ask(
      registrationProcess.id({ userId }),
      verifyEmail,
      { tokenId, useId },
      options,
    );
    return verifiedAt;
  } catch (error) {
    const isOver = refusalIn(error)?.code === 'ALREADY_VERIFIED';
    if (isOver && !(await presentedToken(db, 'VERIFY_EMAIL', token))) throw refusal('INVALID_TOKEN');
    throw error;
  }
}
