import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { clearNoteText, readNote } from '../../../db/administration/idempotency/request-note.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type {
  ParticipationActivities,
  ParticipationState,
} from '../../../workflows/investment/participation/participation.contract';
import type { DbDeps } from '../../steps';
import { cancelUnpaidParticipation } from './cancel-unpaid-participation';
import { requireParticipation, stateOfParticipation } from './participation-state';

type Cancel = Parameters<ParticipationActivities['cancelParticipation']>[0];

/**
 * Cancels a participation that waits for its payment, as the administrator in the stored note has decided; money that comes
 * later goes back. Refused: CANNOT_CANCEL. The note is used up with it, so the same again only returns the state.
 */
export const cancelParticipation = (
  { db }: DbDeps,
  { participationId, noteId, at }: Cancel,
): Promise<ParticipationState> =>
  inTransaction(db, async (tx) => {
    const participation = await requireParticipation(tx, participationId);
    const { status, paymentStatus } = participation;
    const { actorId, clientAddress, text: reason } = await readNote(tx, noteId);
    if (reason === null) return stateOfParticipation(tx, participationId);
    if (status !== 'PENDING_PAYMENT')
      throw refusal('CANNOT_CANCEL', 'Only a participation that waits for its payment can be cancelled.');
    await cancelUnpaidParticipation(tx, participation, { at });
    await clearNoteText(tx, noteId);
    await recordAudit(tx, {
      actorId,
      action: 'participation.cancel',
      entityId: participationId,
      previous: { status, paymentStatus },
      next: { status: 'CANCELLED', reason },
      clientAddress,
      at: new Date(at),
    });
    return stateOfParticipation(tx, participationId);
  });
