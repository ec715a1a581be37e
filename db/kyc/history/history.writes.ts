import { v7 } from 'uuid';
import type { CreationAttributes } from 'sequelize';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { KycHistory } from './kyc-history.model';

type NewEvent = Omit<CreationAttributes<KycHistory>, 'id'> & { id?: string | undefined };

/** Adds an event to the history of a verification, in the transaction of the change. A decision has the id of its note. */
export const addKycEvent = (tx: Tx, { id = v7(), ...event }: NewEvent): Promise<void> =>
  table(tx, KycHistory).insert({ id, ...event });
