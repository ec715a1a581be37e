import { v7 } from 'uuid';
import type { CreationAttributes } from 'sequelize';
import { keysOf } from '../../sealing/keys-of';
import { sealPurposes } from '../../sealing/purposes';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { KycHistory } from './kyc-history.model';

type NewEvent = Omit<CreationAttributes<KycHistory>, 'id' | 'note'> & {
  id?: string | undefined;
  /** A person's own words, which are sealed. */
  note: string | null;
};

/** Adds an event to the history of a verification, in the transaction of the change. A decision has the id of its note. */
export const addKycEvent = (tx: Tx, { id = v7(), note, ...event }: NewEvent): Promise<void> => {
  const sealed = note === null ? null : keysOf(tx).seal(Buffer.from(note), sealPurposes.kycNote(id));
  return table(tx, KycHistory).insert({ id, note: sealed, ...event });
};
