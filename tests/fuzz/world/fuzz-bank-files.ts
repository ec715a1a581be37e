import type { Db } from '../../../db/sql/query';
import { collected, filed, idOf } from '../../support/builders/payouts/bank-files';
import type { Dictionaries } from './fuzz-world';

/** Files for the bank, each of which is withdrawn once, and transfers that wait for the next one. */
export async function bankFilesIn(db: Db, spare: number): Promise<Dictionaries> {
  const files: string[] = [];
  for (let n = 0; n < spare; n++) files.push((await filed(db)).fileId);
  const waiting = await collected(
    db,
    Array.from({ length: spare }, () => 1_000),
  );
  return { bankFiles: files, collectedTransfers: waiting.map(idOf) };
}
