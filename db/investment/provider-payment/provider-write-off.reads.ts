import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ProviderWriteOff } from './provider-write-off.model';

export type ProviderWriteOffRow = Attributes<ProviderWriteOff>;

const COLUMNS = [
  'id',
  'providerCode',
  'amountMinor',
  'currency',
  'reason',
  'decidedBy',
  'createdAt',
] as const;

/** One page of the write-offs of a provider, newest first. */
export async function listProviderWriteOffs(
  db: Db,
  providerCode: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; writeOffs: ProviderWriteOffRow[] }> {
  const writeOffs = table(db, ProviderWriteOff);
  const order = [
    ['createdAt', 'DESC'],
    ['id', 'DESC'],
  ] as const;
  return {
    total: await writeOffs.count({ providerCode }),
    writeOffs: await writeOffs.all(COLUMNS, { providerCode }, { order, limit, offset }),
  };
}

/** The sums of the write-offs of a provider that it has not paid since, by currency; none where nothing is left. */
export const unrecoveredOf = (
  db: Db,
  providerCode: string,
): Promise<{ currency: string; unrecoveredMinor: number }[]> =>
  rows(
    db,
    `SELECT w.currency, s.unrecovered_minor
       FROM (SELECT DISTINCT currency FROM investment_provider_write_offs WHERE provider_code = $1) AS w
         CROSS JOIN LATERAL investment_provider_standing($1, w.currency) AS s
      WHERE s.unrecovered_minor > 0 ORDER BY w.currency`,
    [providerCode],
  );
