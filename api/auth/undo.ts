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
import { endpoint, type Context } from '../http/endpoint';
import { authPerMinute } from '../http/limits/limits';
import { mailedToken } from './mailed-token.view';
import { undoTwoFactorOff, undoTwoFactorOn } from './two-factor/undo.command';

const CAREFUL = 'Change your password now.';

export const undoEndpoint = endpoint({
  method: 'post',
  path: '/auth/undo',
  summary: 'Undo what a mail told of, with its token',
  description:
    'For whoever did not turn two-factor sign-in on or off, or ask for the deletion, themselves. The token is good once and for 14 days, unless the operator has set other days; a second factor is taken off only until it has first signed somebody in or confirmed a session, and never from an administrator who needs one. Undoing a second factor ends all sessions. Signs nobody in.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),

  body: z.object({ token: mailedToken() }).meta({ id: 'UndoRequest' }),
  success: 200,
  data: z
    .object({
      undone: z.enum(['TWO_FACTOR_ON', 'TWO_FACTOR_OFF', 'DELETION']).meta({ example: 'DELETION' }),
      message: z.string().meta({ example: `Your account stays. ${CAREFUL}` }),
    })
    .meta({ id: 'Undone' }),
  errors: { INVALID_TOKEN: 400, TOKEN_EXPIRED: 400 },

  async handle({ body }, context) {
    const token = await presentedToken(context.db, UNDO_PURPOSES, body.token);
    if (!token) throw invalidToken();
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
      if (!(await undoTwoFactorOn(context, token, (tx) => context.conclude(tx, undone))))
        throw invalidToken();
      return undone;
    }
    case 'UNDO_TWO_FACTOR_OFF': {
      const undone = {
        undone: 'TWO_FACTOR_OFF' as const,
        message: `Two-factor sign-in is on again. ${CAREFUL}`,
      };
      if (!(await undoTwoFactorOff(context, token, (tx) => context.conclude(tx, undone))))
        throw invalidToken();
      return undone;
    }
    case 'VERIFY_EMAIL':
    case 'RESET_PASSWORD':
      throw invalidToken();
  }
}

/**
 * The process of the deletion takes the day back; it uses the token up in the same transaction. What this very request
 * has undone, before its answer was lost, it is told again: that process has ended.
 */
async function undoDeletionBy(token: MailedToken, { mint, processes, request }: Context) {
  const { id: tokenId, userId } = token;
  const { use: useId } = await mint('use');
  if (token.usedBy !== useId) {
    requireGood(token);
    const asked = { updateId: request.idempotencyId, ifClosed: 'INVALID_TOKEN' } as const;
    await processes.open(accountDeletionProcess, { userId }, undoDeletion, { tokenId, useId }, asked);
  }
  return { undone: 'DELETION' as const, message: `Your account stays. ${CAREFUL}` };
}

/** What can be told before anything is asked for; the token is used in the transaction that undoes. */
function requireGood({ expiresAt, superseded, usedAt }: MailedToken): void {
  if (superseded || usedAt !== null) throw invalidToken();
  if (expiresAt <= new Date()) throw refusal('TOKEN_EXPIRED', 'This token has expired.');
}

const invalidToken = () => refusal('INVALID_TOKEN', 'This token is not valid.');
