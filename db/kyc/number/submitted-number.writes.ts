import { v7 } from 'uuid';
import type { KeyRing } from '../../sealing/key-ring';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { documentNumberCode, sealNumber } from './document-number';
import { KycDocumentNumber } from './kyc-document-number.model';

/** Stores the number with which a verification is submitted, once. Lock the user first. */
export async function storeSubmittedNumber(
  tx: Tx,
  keys: KeyRing,
  { kycId, documentNumber }: { kycId: string; documentNumber: string },
  at: Date,
): Promise<void> {
  const { keyId: numberKey, mac: numberMac } = documentNumberCode(keys, documentNumber);
  if (await table(tx, KycDocumentNumber).one(['id'], { kycId, numberMac })) return;
  const id = v7();
  const numberSealed = sealNumber(keys, id, documentNumber);
  await table(tx, KycDocumentNumber).insert({
    ...{ id, kycId, numberSealed, numberMac, numberKey, submittedAt: at },
  });
}

/** Deletes the submitted numbers of a verification, with their codes. */
export async function removeNumbers(tx: Tx, kycId: string): Promise<void> {
  await table(tx, KycDocumentNumber).remove({ kycId });
}

/** A verification that was rejected since a reviewer suspected fraud, of the whole or of a document. */
const IS_FRAUD = `(v.status = 'REJECTED' AND (v.rejection_reason = 'SUSPECTED_FRAUD' OR EXISTS (
  SELECT 1 FROM kyc_verification_documents l WHERE l.kyc_id = v.id AND l.reason = 'SUSPECTED_FRAUD')))`;

/**
 * Deletes the submitted numbers of a locked user; of those rejected for fraud the codes stay, without the numbers. Call it
 * before the documents are deleted, whose reasons it reads.
 */
export async function eraseNumbers(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM kyc_document_numbers n USING kyc_verifications v
      WHERE v.id = n.kyc_id AND v.user_id = $1 AND n.number_sealed IS NOT NULL AND NOT coalesce(${IS_FRAUD}, false)`,
    [userId],
  );
  await execute(
    tx,
    `UPDATE kyc_document_numbers n SET number_sealed = NULL FROM kyc_verifications v
      WHERE v.id = n.kyc_id AND v.user_id = $1`,
    [userId],
  );
}
