import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { KycDocumentNumber } from './kyc-document-number.model';

/** A document number that was submitted, by its code. */
export type SubmittedNumber = Pick<Attributes<KycDocumentNumber>, 'id' | 'numberSealed' | 'numberMac'>;

/** The numbers with which a verification was submitted, also those that its user replaced later. */
export const submittedNumbers = (db: Db, kycId: string): Promise<SubmittedNumber[]> =>
  table(db, KycDocumentNumber).all(['id', 'numberSealed', 'numberMac'], { kycId });
