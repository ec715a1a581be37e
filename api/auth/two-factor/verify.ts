import { z } from 'zod';
import { secondFactorOf } from '../../../db/identity/second-factor/second-factor.reads';
import { enableSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { hashOfBackupCode, newBackupCodes } from './backup-codes';
import { lockedCaller } from './locked-caller';
import { queueTwoFactorOnMail } from './notice';
import { codeFor } from './codes/send-code';
import { sixDigits, takeCode } from './codes/take-code';

export const verifyTwoFactor = endpoint({
  method: 'post',
  path: '/auth/2fa/verify',
  summary: 'Turn on two-factor sign-in',
  description:
    'Takes the first code of what was set up. The backup codes are shown now and never again; each stands in for a code once. All other sessions end.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),
  // An answer that is kept for a repetition would be secrets that are kept in the open.
  idempotent: false,

  body: z.object({ code: sixDigits() }).meta({ id: 'TwoFactorVerifyRequest' }),
  success: 200,
  data: z
    .object({
      enabled: z.literal(true),
      method: z.enum(['TOTP', 'SMS', 'EMAIL']),
      backupCodes: z.array(z.string().meta({ example: 'PB4KXQ-3ZJ7WN-DT2VYH-6RLMCF' })),
    })
    .meta({ id: 'TwoFactorEnabled' }),
  errors: { SETUP_NOT_INITIATED: 400, INVALID_CODE: 400, CODE_EXPIRED: 400 },

  async handle({ body: { code } }, context) {
    const { caller, db, identity, recordSecurityEvent } = context;
    const verified = await inTransaction(db, async (tx) => {
      const user = await lockedCaller(tx, caller);
      const factor = await secondFactorOf(tx, user.id);
      if (!factor || factor.isEnabled)
        throw refusal('SETUP_NOT_INITIATED', 'There is no setup to verify. Begin with one.');
      const outcome = await takeCode(tx, identity, factor, code, codeFor('SETUP', user.id));
      if (outcome !== 'right') return { outcome };
      const backupCodes = newBackupCodes();
      await enableSecondFactor(tx, user.id, backupCodes.map(hashOfBackupCode), caller.sessionId);
      await queueTwoFactorOnMail(tx, context, user);
      return { outcome, method: factor.method, backupCodes };
    });
    if (verified.outcome === 'right') {
      const { method, backupCodes } = verified;
      recordSecurityEvent({ event: 'two-factor-on', outcome: 'success', account: caller.id, method });
      return { enabled: true as const, method, backupCodes };
    }
    if (verified.outcome === 'wrong') throw refusal('INVALID_CODE', 'This code is wrong.');
    throw refusal('CODE_EXPIRED', 'The code has expired. Begin the setup again to get another.');
  },
});
