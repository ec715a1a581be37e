import { inTransaction } from '../../../db/sql/transaction';
import { moveVerification } from '../../../db/kyc/verification/verification.transitions';
import {
  kycVerificationStates,
  type KycVerificationStatus,
} from '../../../workflows/kyc/review/kyc-review.states';
import { make } from '../../support/builders/make';
import { verificationState } from '../../support/builders/kyc/verifying';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

const move = (id: string, from: KycVerificationStatus, status: KycVerificationStatus): Promise<void> =>
  inTransaction(own.db, (tx) => moveVerification(tx, { id, from }, { status, updatedAt: new Date() }));

test('a verification makes no move that the table of states does not have', async () => {
  for (const from of kycVerificationStates.names) {
    const { id } = await make.verification(own.db, { status: from });
    for (const to of kycVerificationStates.names)
      if (to !== from && !kycVerificationStates.canMove(from, to))
        await expect(move(id, from, to)).rejects.toThrow(`does not become ${to} from ${from}`);
    expect((await verificationState(own.db, id)).status).toBe(from);
  }
});

test('nor one from a status that it has left', async () => {
  const { id } = await make.verification(own.db, { status: 'REJECTED' });
  await expect(move(id, 'DOCUMENTS_PENDING', 'WITHDRAWN')).rejects.toThrow('is no longer DOCUMENTS_PENDING');
});
