import { kycVerificationStates } from '../../../workflows/kyc/review/kyc-review.states';
import { releaseDocuments, removeDocuments } from '../document/document-removal.transitions';
import { addKycEvent } from '../history/history.writes';
import { KycHistory } from '../history/kyc-history.model';
import { eraseNumbers, removeNumbers } from '../number/submitted-number.writes';
import { clearNotesOn } from '../../administration/idempotency/request-note.writes';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { KycVerification } from '../verification/kyc-verification.model';
import type { Verification } from '../verification/verification.reads';
import { moveVerification } from '../verification/verification.transitions';

/** The columns with its user's data and with people's words, emptied. */
const NOTHING_PERSONAL = {
  personalInfo: null,
  documentNumberMac: null,
  documentNumberKey: null,
  requestedMessage: null,
} satisfies Partial<Verification>;

/**
 * Erases the identity verifications of a locked user; returns the discarded blobs of their documents. The record of each
 * decision stays: status, level, dates, and who decided; after a fraud also the codes of its document numbers. What is open or in force ends as WITHDRAWN.
 */
export async function eraseVerifications(tx: Tx, userId: string, at: Date): Promise<string[]> {
  await eraseNumbers(tx, userId);
  const blobs = await removeDocuments(tx, userId);
  const verifications = await table(tx, KycVerification).all(
    ['id', 'status'],
    { userId },
    { lock: 'UPDATE' },
  );
  for (const { id, status } of verifications) {
    if (kycVerificationStates.canMove(status, 'WITHDRAWN')) await withdraw(tx, { id, status }, at);
    await clear(tx, id, at);
  }
  return blobs;
}

/** Deletes documents and personal data of a locked verification that is over; returns the discarded blobs. */
export async function emptyVerification(tx: Tx, kycId: string, at: Date): Promise<string[]> {
  const blobs = await releaseDocuments(tx, kycId);
  await removeNumbers(tx, kycId);
  await clear(tx, kycId, at);
  return blobs;
}

/** Withdraws a locked verification and empties it; returns the discarded blobs of its documents. */
export async function withdrawVerification(
  tx: Tx,
  verification: Pick<Verification, 'id' | 'status'>,
  at: Date,
): Promise<string[]> {
  await withdraw(tx, verification, at);
  return emptyVerification(tx, verification.id, at);
}

async function withdraw(
  tx: Tx,
  { id, status: from }: Pick<Verification, 'id' | 'status'>,
  at: Date,
): Promise<void> {
  const changes = {
    assignedTo: null,
    claimedAt: null,
    claimLapsesAt: null,
    dueAt: null,
    endedAt: at,
    updatedAt: at,
  };
  await moveVerification(tx, { id, from }, { status: 'WITHDRAWN', ...changes });
  await addKycEvent(tx, { kycId: id, action: 'WITHDRAWN', performedBy: null, note: null, at });
}

async function clear(tx: Tx, kycId: string, at: Date): Promise<void> {
  await table(tx, KycVerification).update({ ...NOTHING_PERSONAL, updatedAt: at }, { id: kycId });
  await table(tx, KycHistory).update({ note: null }, { kycId });
  await clearNotesOn(tx, kycId);
}
