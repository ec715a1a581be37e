import type { CommissionStatus } from './commission.states';

export const ADJUSTMENTS = ['APPROVE', 'HOLD', 'REVERSE', 'ADJUST_AMOUNT'] as const;

/** A decision of an administrator on a commission. */
export type Adjustment = (typeof ADJUSTMENTS)[number];

const FROM: Readonly<Record<Adjustment, readonly CommissionStatus[]>> = {
  APPROVE: ['PENDING', 'HELD'],
  HOLD: ['PENDING', 'APPROVED'],
  REVERSE: ['PENDING', 'HELD', 'APPROVED'],
  ADJUST_AMOUNT: ['PENDING', 'HELD', 'APPROVED'],
};

const TO: Readonly<Record<Exclude<Adjustment, 'ADJUST_AMOUNT'>, CommissionStatus>> = {
  APPROVE: 'APPROVED',
  HOLD: 'HELD',
  REVERSE: 'REVERSED',
};

/** The status after an adjustment; null where the adjustment cannot be made. */
export function statusAfter(action: Adjustment, status: CommissionStatus): CommissionStatus | null {
  if (!FROM[action].includes(status)) return null;
  return action === 'ADJUST_AMOUNT' ? status : TO[action];
}

/** The part of a partner's balances in which a commission of a status lies; null: in none, or no longer to be moved. */
export function placeOf(status: CommissionStatus): 'partner_pending' | 'partner_available' | null {
  switch (status) {
    case 'PENDING':
    case 'HELD':
      return 'partner_pending';
    case 'APPROVED':
      return 'partner_available';
    case 'PAID':
    case 'REVERSED':
      return null;
  }
}

/** The least and the most that a new amount may be, in minor units: what refunds took back, and what was sold. */
export const amountBounds = (
  { baseMinor, grossMinor }: { baseMinor: number; grossMinor: number },
  takenBackMinor: number,
): { leastMinor: number; mostMinor: number } => ({
  leastMinor: takenBackMinor,
  mostMinor: Math.max(baseMinor, grossMinor),
});

/** A commission, or a part taken back of it, as an adjustment moves it. */
export interface AdjustedRow {
  netMinor: number;
  status: CommissionStatus;
}

/** The effect of an adjustment on a partner's balances and to what the partner earned, in minor units. */
export interface AdjustmentEffect {
  pendingMinor: number;
  availableMinor: number;
  earnedMinor: number;
}

/** The effect of moving rows from their state before to their state after. */
export function effectOf(moves: readonly { before: AdjustedRow; after: AdjustedRow }[]): AdjustmentEffect {
  const effect: AdjustmentEffect = { pendingMinor: 0, availableMinor: 0, earnedMinor: 0 };
  const add = ({ netMinor, status }: AdjustedRow, sign: 1 | -1): void => {
    const place = placeOf(status);
    if (place === 'partner_pending') effect.pendingMinor += sign * netMinor;
    if (place === 'partner_available') effect.availableMinor += sign * netMinor;
    if (place !== null) effect.earnedMinor += sign * netMinor;
  };
  for (const { before, after } of moves) {
    add(before, -1);
    add(after, 1);
  }
  return effect;
}
