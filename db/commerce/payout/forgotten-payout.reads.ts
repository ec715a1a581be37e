import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import type { Payout } from './payout.model';

/** A payout whose money may be on its way. */
export type SentPayout = Pick<Attributes<Payout>, 'id' | 'kind' | 'userId' | 'amountMinor' | 'currency'> & {
  processedAt: Date;
};

/** The next payouts that are PROCESSING since before a time, in the order of that and after a position. */
export const processingPayouts = (
  db: Db,
  {
    before,
    after,
    limit,
  }: { before: Date; after: Pick<SentPayout, 'processedAt' | 'id'> | null; limit: number },
): Promise<SentPayout[]> =>
  rows<SentPayout>(
    db,
    `SELECT id, kind, user_id, amount_minor, currency, processed_at FROM payouts
      WHERE status = 'PROCESSING' AND processed_at < $1 AND (processed_at, id) > ($2, $3)
      ORDER BY processed_at, id LIMIT $4`,
    [before, after?.processedAt ?? '-infinity', after?.id ?? '00000000-0000-0000-0000-000000000000', limit],
  );
