import { z } from 'zod';
import {
  presentedToken,
  UNDO_PURPOSES,
  type MailedToken,
} from '../../db/identity/mailed-token/mailed-token.reads';
import { refusal, refusalIn } from '../../workflows/errors';
import {
  accountDeletionProcess,
  undoDeletion,
} from '../../workflows/identity/account-deletion/account-deletion.contract';
import { endpoint } from '../http/endpoint';
import type { Context } from '../http/handler-context';
import { authPerMinute } from '../http/limits/limits';
import { mailedToken } from './mailed-token.view';
import { undoTwoFactorOff, undoTwoFactorOn } from './two-factor/undo/undo.command';

const CAREFUL = 'Change your password now.';

export const undoEndpoint = endpoint({
  id: 'undoAccountChange',
  returns: 'The change that is undone',
  method: 'post',
  path: '/auth/undo',
  summary: 'Undo a change that an email reported, with its token',
  description:
    'For people who did not turn two-factor sign-in on or off, or request the deletion, themselves. The token is good once and for 14 days, unless the operator has set other days; a second factor is taken off only until it has first signed in or confirmed a session, and never from an administrator who needs one. Undoing a second factor ends all sessions. Nobody is signed in.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),

  body: z
    .object({ token: mailedToken().describe('The token from the email; it works once.') })
    .meta({ id: 'UndoRequest' }),
  success: 200,
  data: z
    .object({
      undone: z
        .enum(['TWO_FACTOR_ON', 'TWO_FACTOR_OFF', 'DELETION'])
        .meta({ description: 'The change that no longer holds.', example: 'DELETION' }),
      message: z.string().meta({ example: `Your account will not be deleted. ${CAREFUL}` }),
    })
    .meta({ id: 'Undone' }),
  errors: { INVALID_TOKEN: 400, TOKEN_EXPIRED: 400 },

  async handle({ body }, context) {
    const token = await presentedToken(context.db, UNDO_PURPOSES, body.token);
    if (!token) throw refusal('INVALID_TOKEN');
    const event = token.purpose === 'UNDO_DELETION' ? 'deletion-undo' : 'two-factor-undo';
    try {
      const undone = await undo(token, context);
      context.recordSecurityEvent({ event, outcome: 'success', account: token.userId });
      return undone;
    } catch (error) {
      const reason = refusalIn(error)?.code;
      if (reason !== undefined)
        context.recordSecurityEvent({ event, outcome: 'failure', account: token.userId, reason });
      throw error;
    }
  },
});

async function undo(token: MailedToken, context: Context) {
  if (token.purpose === 'UNDO_DELETION') return undoDeletionBy(token, context);
  requireGood(token);
  switch (token.purpose) {
    case 'UNDO_TWO_FACTOR_ON': {
      const undone = {
        undone: 'TWO_FACTOR_ON' as const,
        message: `Two-factor sign-in is off again. ${CAREFUL}`,
      };
      await undoTwoFactorOn(context, token, (tx) => context.conclude(tx, undone));
      return undone;
    }
    case 'UNDO_TWO_FACTOR_OFF': {
      const undone = {
        undone: 'TWO_FACTOR_OFF' as const,
        message: `Two-factor sign-in is on again. ${CAREFUL}`,
      };
      await undoTwoFactorOff(context, token, (tx) => context.conclude(tx, undone));
      return undone;
    }
    case 'VERIFY_EMAIL':
    case 'RESET_PASSWORD':
      throw refusal('INVALID_TOKEN');
  }
}

/**
 * Has the deletion's process cancel it, which uses the token up in the same transaction. A repeat of the request that
 * used the token gets the same answer: the process has ended by then.
 */
async function undoDeletionBy(token: MailedToken, { mint, processes, request }: Context) {
  const { id: tokenId, userId } = token;
  const { use: useId } = await mint('use');
  if (token.usedBy !== useId) {
    requireGood(token);
    const options = { updateId: request.idempotencyId };
    await processes.open(accountDeletionProcess, { userId }, undoDeletion, { tokenId, useId }, options);
  }
  return { undone: 'DELETION' as const, message: `Your account will not be deleted. ${CAREFUL}` };
}

/** Refuses a used or expired token early; the transaction that undoes uses it up. */
function requireGood({ expiresAt, superseded, usedAt }: MailedToken): void {
  if (superseded || usedAt !== null) throw refusal('INVALID_TOKEN');
  if (expiresAt <= new Date()) throw refusal('TOKEN_EXPIRED', 'This token has expired.');
}
