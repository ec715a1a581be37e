import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { KycProviderReport } from './kyc-provider-report.model';

const COLUMNS = ['id', 'providerCode', 'status', 'level', 'data', 'receivedAt'] as const;

/** A provider's word on a user's identity; `data`, sealed for `kycProviderReport`, is null where it said no more. */
export type ProviderReport = Pick<Attributes<KycProviderReport>, (typeof COLUMNS)[number]>;

/** The newest reports on a user. */
export const providerReportsOn = (db: Db, userId: string, limit: number): Promise<ProviderReport[]> =>
  table(db, KycProviderReport).all(
    COLUMNS,
    { userId },
    {
      limit,
      order: [
        ['receivedAt', 'DESC'],
        ['id', 'DESC'],
      ],
    },
  );
