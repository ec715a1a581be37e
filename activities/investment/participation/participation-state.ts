import {
  participationStanding,
  type ParticipationStanding,
} from '../../../db/investment/standing/participation-standing.reads';
import {
  lockParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import type { Tx } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { ParticipationState } from '../../../workflows/investment/participation/participation.contract';

/** The participation, locked. Its process exists only because it was opened, so a missing one is a defect. */
export async function requireParticipation(tx: Tx, id: string): Promise<LockedParticipation> {
  const participation = await lockParticipation(tx, id);
  if (!participation) throw new Error(`There is no participation ${id}.`);
  return participation;
}

/** The state of a locked participation for its process. */
export async function stateOfParticipation(tx: Tx, id: string): Promise<ParticipationState> {
  const standing = await participationStanding(tx, id);
  if (!standing) throw new Error(`There is no participation ${id}.`);
  return stateOf(standing);
}

/** The state of a participation that was read already. */
export function stateOf(standing: ParticipationStanding): ParticipationState {
  const { status, paymentExpiresAt, maturesAt, awaitsPayout, strategyName, successorId, successorNumber } =
    standing;
  return {
    status,
    payBy: status === 'PENDING_PAYMENT' ? (paymentExpiresAt?.toISOString() ?? null) : null,
    maturesAt: maturesAt?.toISOString() ?? null,
    ...(awaitsPayout && { awaitsPayout }),
    label: participationLabel(standing),
    pagesLeft: standing.pagesLeft,
    successor:
      successorId === null || successorNumber === null
        ? null
        : {
            participationId: successorId,
            label: participationLabel({
              number: successorNumber,
              amountMinor: standing.successorMinor ?? 0,
              currency: standing.currency,
              strategyName,
            }),
          },
  };
}

/** A participation as people name it on the phone. */
const participationLabel = (participation: {
  number: string;
  amountMinor: number;
  currency: string;
  strategyName: string;
}): string => `${moneyLabel(participation)} · ${participation.strategyName}`;
