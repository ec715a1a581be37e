import type { Db } from '../../../../db/sql/query';
import { given } from '../given';

// Until tests of other folders call `given`:
export const transferToReturn = async (db: Db, by?: { at?: string }) =>
  given(db)
    .order({ method: 'BANK_TRANSFER', ...by })
    .paid()
    .cancelled();
