import type { Attributes, CreationAttributes } from 'sequelize';
import {
  participationStates,
  type ParticipationStatus,
} from '../../../workflows/investment/participation/participation.states';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { NEXT_NUMBER } from './participation-opening.reads';
import type { ParticipationValue } from './participation-value.model';
import { Participation } from './participation.model';

const COLUMNS = [
  'id',
  'number',
  'userId',
  'strategyId',
  'providerCode',
  'origin',
  'reinvestedFromId',
  'externalId',
  'status',
  'amountMinor',
  'currency',
  'durationDays',
  'compounding',
  'autoReinvest',
  'returnMinBp',
  'returnMaxBp',
  'returnExpectedBp',
  'lockDays',
  'earlyWithdrawalAllowed',
  'earlyWithdrawalPenaltyBp',
  'paymentMethod',
  'paymentStatus',
  'paymentExpiresAt',
  'paidAt',
  'startedAt',
  'maturesAt',
  'endedAt',
  'withdrawnMinor',
  'earnedMinor',
  'reportedValueMinor',
  'valueReportedAt',
  'maturityReportedAt',
  'payoutReportedAt',
  'payoutExternalId',
  'createdAt',
] as const satisfies readonly (keyof Attributes<Participation>)[];

/** A participation, locked until the transaction ends. */
export type LockedParticipation = Pick<Attributes<Participation>, (typeof COLUMNS)[number]>;

/** Locks a participation, so that every other move of it, and all its money, waits; null when there is none. */
export const lockParticipation = (tx: Tx, id: string): Promise<LockedParticipation | null> =>
  table(tx, Participation).one(COLUMNS, { id }, { lock: 'NO_KEY_UPDATE' });

/** The next number, such as INV-2026-00000012. */
export async function nextParticipationNumber(tx: Tx): Promise<string> {
  const next = await firstRow<{ number: string }>(tx, `SELECT ${NEXT_NUMBER} AS number`);
  if (!next) throw new Error('The sequence of participation numbers has no next value.');
  return next.number;
}

export type NewParticipation = CreationAttributes<Participation>;

export const insertParticipation = (tx: Tx, row: NewParticipation): Promise<void> =>
  table(tx, Participation).insert(row);

type Changes = Partial<
  Pick<
    Attributes<Participation>,
    | 'paymentStatus'
    | 'paymentMethod'
    | 'paidAt'
    | 'startedAt'
    | 'maturesAt'
    | 'endedAt'
    | 'externalId'
    | 'earnedMinor'
    | 'withdrawnMinor'
    | 'reportedValueMinor'
    | 'valueReportedAt'
    | 'maturityReportedAt'
    | 'payoutReportedAt'
    | 'payoutExternalId'
    | 'origin'
  >
>;

/** Moves a locked participation, if `participationStates` allows it. */
export async function moveParticipation(
  tx: Tx,
  { id, status }: Pick<LockedParticipation, 'id' | 'status'>,
  to: ParticipationStatus,
  changes: Changes,
  at: Date,
): Promise<void> {
  if (!participationStates.canMove(status, to))
    throw new Error(`Participation ${id} cannot move from ${status} to ${to}.`);
  const moved = await table(tx, Participation).update(
    { ...changes, status: to, updatedAt: at },
    { id, status },
  );
  if (moved !== 1) throw new Error(`Participation ${id} is no longer ${status}.`);
}

/** Changes a locked participation that keeps its status. */
export async function changeParticipation(tx: Tx, id: string, changes: Changes, at: Date): Promise<void> {
  await table(tx, Participation).update({ ...changes, updatedAt: at }, { id });
}

/** Stores the value that a provider reported at a time: the newest of each day (UTC), of one moment the first. */
export async function keepReportedValue(tx: Tx, value: Attributes<ParticipationValue>): Promise<void> {
  await execute(
    tx,
    `INSERT INTO participation_values AS v (participation_id, reported_at, value_minor) VALUES ($1, $2, $3)
     ON CONFLICT (participation_id, ((reported_at AT TIME ZONE 'UTC')::date)) DO UPDATE
       SET reported_at = excluded.reported_at, value_minor = excluded.value_minor
       WHERE v.reported_at < excluded.reported_at`,
    [value.participationId, value.reportedAt, value.valueMinor],
  );
}

/** The principal of a user's participations that wait for payment or run, in minor units of the platform currency. */
export async function investedMinor(tx: Tx, userId: string): Promise<number> {
  const sum = await firstRow<{ minor: number }>(
    tx,
    `SELECT coalesce(sum(amount_minor - withdrawn_minor), 0)::bigint AS minor FROM participations
     WHERE user_id = $1 AND status IN ('PENDING_PAYMENT', 'ACTIVE')`,
    [userId],
  );
  return sum?.minor ?? 0;
}

/** The number of a user's participations that wait for their payment. */
export const unpaidParticipations = (tx: Tx, userId: string): Promise<number> =>
  table(tx, Participation).count({ userId, status: 'PENDING_PAYMENT' });
