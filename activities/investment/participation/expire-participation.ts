import { inTransaction } from '../../../db/sql/transaction';
import type { ParticipationState } from '../../../workflows/investment/participation/participation.contract';
import type { DbDeps } from '../../steps';
import { cancelUnpaidParticipation } from './cancel-unpaid-participation';
import { requireParticipation, stateOfParticipation } from './participation-state';

/** Cancels an unpaid participation after its payment window; any other is only read. */
export const expireParticipation = (
  { db }: DbDeps,
  { participationId, at }: { participationId: string; at: string },
): Promise<ParticipationState> =>
  inTransaction(db, async (tx) => {
    const participation = await requireParticipation(tx, participationId);
    const { status, paymentExpiresAt } = participation;
    const isOver = paymentExpiresAt !== null && paymentExpiresAt <= new Date(at);
    if (status === 'PENDING_PAYMENT' && isOver) await cancelUnpaidParticipation(tx, participation, { at });
    return stateOfParticipation(tx, participationId);
  });
