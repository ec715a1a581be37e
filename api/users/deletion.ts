import { z } from 'zod';
import { accountDeletionProcess, requestDeletion } from '../../workflows/identity/account-deletion.contract';
import { clearSessionCookies } from '../auth/session-cookies';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits';

export const deleteMe = endpoint({
  method: 'delete',
  path: '/users/me',
  summary: 'Delete my account',
  // Chosen: no password is asked for, since people who sign in elsewhere have none; the fortnight, the mail and the way
  // back by signing in protect whoever did not mean it.
  description:
    'Ends all sessions now; in 14 days personal data is erased. Signing in before that cancels it. Refused while the account holds money or has orders under way; the last SUPER_ADMIN cannot leave.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: z.object({
    message: z.string().meta({ example: 'Your account will be deleted. Sign in before to keep it.' }),
    deletionDueAt: z.iso.datetime(),
  }),
  errors: {},

  async handle(_asked, { caller, processes, reply, request }) {
    const { dueAt } = await processes.open(
      accountDeletionProcess,
      { userId: caller.id },
      requestDeletion,
      {},
      { updateId: request.wishId, otherwise: 'SERVICE_UNAVAILABLE' },
    );
    clearSessionCookies(reply);
    return { message: 'Your account will be deleted. Sign in before to keep it.', deletionDueAt: dueAt };
  },
});
