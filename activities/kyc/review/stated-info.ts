import { openPersonalInfo } from '../../../db/kyc/verification/personal-info';
import type { Verification } from '../../../db/kyc/verification/verification.reads';
import { Unsealable } from '../../../db/sealing/cipher';
import { keysOf } from '../../../db/sealing/keys-of';
import type { Tx } from '../../../db/sql/query';
import type { PersonalInfo } from '../../../workflows/kyc/kyc.rules';

/**
 * The personal data of a verification; null once they are erased. Throws `unreadable` if they cannot be opened: repeating
 * the step would only keep the decisions behind it waiting.
 */
export function statedInfo(tx: Tx, verification: Verification, unreadable: () => Error): PersonalInfo | null {
  try {
    return openPersonalInfo(keysOf(tx), verification);
  } catch (error) {
    if (error instanceof Unsealable) throw unreadable();
    throw error;
  }
}
