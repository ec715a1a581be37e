import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { KycVerification } from './kyc-verification.model';
import { VERIFICATION_COLUMNS, type Verification } from './verification.reads';

/** All verifications of a user, newest first. */
export const verificationsBy = (db: Db, userId: string): Promise<Verification[]> =>
  table(db, KycVerification).all(
    VERIFICATION_COLUMNS,
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
    },
  );
