import { z } from 'zod';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import {
  disableSecondFactor,
  secondFactorToKeep,
} from '../../../db/identity/second-factor/second-factor.writes';
import type { LockedUser } from '../../../db/identity/user/user-lock.writes';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { endpoint, type Context } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { ownPassword, requireOwnPassword, wrongPassword } from '../own-password';
import { lockedCaller } from './locked-caller';
import { queueTwoFactorOffMail } from './notice';
import { proveCode, recordProvenCode, type ProvenCode } from './codes/prove-code';
import { proofCode } from './codes/take-code';

type UserContext = Context<'user'>;

export const disableTwoFactor = endpoint({
  method: 'post',
  path: '/auth/2fa/disable',
  summary: 'Turn off two-factor sign-in',
  // Chosen: somebody whose codes come by SMS or e-mail asks for one by leaving it out (or by guessing where none
  // waits); the password must be right before anything is sent.
  description:
    'Needs the password and a current code or a backup code. Where codes come by SMS or e-mail, ask without `code` first: one is sent, and the answer is INVALID_CODE. All other sessions end.',
  tag: 'Authentication',
  auth: 'user',
  limit: { ...authPerMinute(100), also: authPerMinute(5) },
  idempotent: false,

  body: z
    .object({ password: ownPassword(), code: proofCode().optional() })
    .meta({ id: 'TwoFactorDisableRequest', example: { password: 'Buyer-demo-1!', code: '492039' } }),
  success: 200,
  data: z
    .object({ disabled: z.literal(true), message: z.string() })
    .meta({ id: 'TwoFactorDisabled', example: { disabled: true, message: 'Two-factor sign-in is off.' } }),
  errors: { TWO_FACTOR_NOT_ENABLED: 400, INVALID_PASSWORD: 401, INVALID_CODE: 401 },

  async handle({ body: { password, code } }, context) {
    const { caller, db } = context;
    if ((await twoFactorMethodOf(db, caller.id)) === null) throw notEnabled();
    const passwordHash = await requireOwnPassword(password, context);
    const outcome = await inTransaction(db, async (tx) => {
      const user = await lockedCaller(tx, caller);
      if (user.passwordHash !== passwordHash) throw wrongPassword();
      return disableWith(tx, context, user, code);
    });
    recordProvenCode(context, outcome);
    switch (outcome.is) {
      case 'right':
        context.recordSecurityEvent({ event: 'two-factor-off', outcome: 'success', account: caller.id });
        return { disabled: true as const, message: 'Two-factor sign-in is off.' };
      case 'not enabled':
        throw notEnabled();
      case 'missing':
      case 'wrong':
        throw refusal('INVALID_CODE', 'This code is wrong.');
      case 'sent':
        throw refusal('INVALID_CODE', `We have sent a code to ${outcome.destination}. Send it along.`);
    }
  },
});

async function disableWith(
  tx: Tx,
  context: UserContext,
  user: LockedUser,
  code: string | undefined,
): Promise<ProvenCode> {
  const outcome = await proveCode(tx, context, user, code, 'DISABLE');
  if (outcome.is !== 'right') return outcome;
  const kept = await secondFactorToKeep(tx, user.id);
  await disableSecondFactor(tx, user.id, context.caller.sessionId);
  if (kept) await queueTwoFactorOffMail(tx, context, user, kept);
  return outcome;
}

const notEnabled = () => refusal('TWO_FACTOR_NOT_ENABLED', 'Two-factor sign-in is not on.');
