import { openPersonalInfo } from '../../db/kyc/verification/personal-info';
import type { Verification } from '../../db/kyc/verification/verification.reads';
import type { PersonalInfo } from '../../workflows/kyc/kyc.rules';
import type { Context } from '../http/endpoint';

/**
 * The personal data of a verification; null when they were erased, and when they cannot be opened, so that a lost key
 * does not hide the rest.
 */
export function openedPersonalInfo(
  verification: Pick<Verification, 'id' | 'userId' | 'personalInfo'>,
  { identity, log, recordSecurityEvent }: Pick<Context, 'identity' | 'log' | 'recordSecurityEvent'>,
): PersonalInfo | null {
  try {
    return openPersonalInfo(identity.sealing, verification);
  } catch (error) {
    log.error({ err: error, kycId: verification.id }, 'the personal data of a verification cannot be opened');
    recordSecurityEvent({ event: 'kyc-unreadable', outcome: 'failure', account: verification.userId });
    return null;
  }
}
