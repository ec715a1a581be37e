import type { SecondFactor } from '../../../../db/identity/second-factor/second-factor.reads';
import { useBackupCode, useTotpStep } from '../../../../db/identity/second-factor/second-factor.writes';
import {
  guessSentCode,
  type CodeName,
  type Guess,
} from '../../../../db/identity/second-factor/sent-code.writes';
import { sealPurposes } from '../../../../db/sealing/purposes';
import type { Tx } from '../../../../db/sql/query';
import type { Identity } from '../../../http/auth/identity';
import { typedCode } from '../../../http/request/fields';
import { hashOfBackupCode } from '../backup-codes';
import { isCode } from './send-code';

/** The request field of a sent code or of an app's code. */
export const sixDigits = () =>
  typedCode({ max: 64 })
    .regex(/^\d{6}$/, 'must be 6 digits')
    .meta({ example: '492039' });

/** The request field that proves the second factor: six digits of an app or a message, or a backup code. */
export const proofCode = () =>
  typedCode({ max: 64 }).meta({
    description: 'Six digits, or one of the backup codes.',
    example: '492039',
  });

/**
 * Checks a code of the second factor and uses it up: an app's code, the code sent under `name`, or a backup code. Exactly
 * one of several concurrent callers with the same code gets `right`.
 */
export async function takeCode(
  tx: Tx,
  identity: Pick<Identity, 'sealing' | 'totp'>,
  { secretSealed }: SecondFactor,
  code: string,
  name: CodeName,
): Promise<Guess['outcome']> {
  if (!/^\d{6}$/.test(code)) {
    const used = await useBackupCode(tx, name.userId, hashOfBackupCode(code));
    return used ? 'right' : 'wrong';
  }
  if (secretSealed === null) return (await guessSentCode(tx, name, isCode(identity, code))).outcome;
  const step = identity.totp.stepOf(
    identity.sealing.open(secretSealed, sealPurposes.totp(name.userId)),
    code,
  );
  return step !== null && (await useTotpStep(tx, name.userId, step)) ? 'right' : 'wrong';
}
