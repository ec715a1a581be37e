import { z } from 'zod';
import {
  accountDeletionProcess,
  requestDeletion,
} from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { clearSessionCookies } from '../../http/auth/tokens/session-cookies';
import { freshSignInErrors, passwordInstead, requireFreshSignIn } from '../../auth/fresh-sign-in';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';

export const deleteMe = endpoint({
  id: 'deleteAccount',
  returns: 'When the account will be deleted',
  method: 'delete',
  path: '/users/me',
  summary: 'Delete my account',
  description:
    'Ends all sessions now; after a grace period personal data is erased. Signing in before that cancels it, and so does the token in the email about it (`POST /auth/undo`). Requires a session that was opened or confirmed lately, or the password. Refused while the account holds money or has orders under way; the last SUPER_ADMIN cannot leave.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z.object({ password: passwordInstead() }).meta({ id: 'DeletionRequest' }),
  success: 200,
  data: z.object({
    message: z.string().meta({ example: 'Your account will be deleted. Sign in before to keep it.' }),
    deletionDueAt: z.iso
      .datetime()
      .describe('When the account is deleted, unless its owner signs in before.'),
  }),
  errors: freshSignInErrors,

  async handle({ body }, context) {
    const { caller, processes, reply, request } = context;
    await requireFreshSignIn(body.password, context);
    const { dueAt } = await processes.open(
      accountDeletionProcess,
      { userId: caller.id },
      requestDeletion,
      // The activity checks the session again under the account's lock.
      { sessionId: caller.sessionId },
      { updateId: request.idempotencyId },
    );
    clearSessionCookies(reply);
    return { message: 'Your account will be deleted. Sign in before to keep it.', deletionDueAt: dueAt };
  },
});
