import type { Attributes } from 'sequelize';
import { partnerStates, type PartnerStatus } from '../../../workflows/partners/membership/partner.states';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { lockStandings } from './standing.transitions';
import { Partner } from './partner.model';

/** A person who asks to join: the sponsor was fixed at their registration. */
export interface Joiner {
  id: string;
  sponsorId: string | null;
  /** The levels from the top to the sponsor; 0 without one. */
  sponsorLevel: number;
  /** True once the account is erased or closed for good. */
  isClosed: boolean;
}

/** Locks the user who joins, so that they join once; null when there is no such user. */
export const lockJoiner = (tx: Tx, userId: string): Promise<Joiner | null> =>
  firstRow<Joiner>(
    tx,
    `SELECT u.id, u.sponsor_id, coalesce(nlevel(s.path), 0) AS sponsor_level,
       (u.status <> 'ACTIVE' OR u.erased_at IS NOT NULL) AS is_closed
     FROM users u LEFT JOIN partners s ON s.id = u.sponsor_id WHERE u.id = $1 FOR NO KEY UPDATE OF u`,
    [userId],
  );

/**
 * Makes a user a partner below the sponsor of their registration; false when another partner has the referral code. Throws
 * when the user is a partner already.
 */
export async function insertPartner(
  tx: Tx,
  { id, userId, referralCode, at }: { id: string; userId: string; referralCode: string; at: Date },
): Promise<boolean> {
  const written = await execute(
    tx,
    `INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, activated_at)
     SELECT $1, u.id, $3, 'ACTIVE', u.sponsor_id, $4, $4 FROM users u WHERE u.id = $2
     ON CONFLICT ON CONSTRAINT partners_referral_code_key DO NOTHING`,
    [id, userId, referralCode, at],
  );
  return written === 1;
}

export type LockedPartner = Pick<Attributes<Partner>, 'id' | 'userId' | 'referralCode' | 'status'>;

/** Locks a partner, so that other decisions on the membership wait; null when there is none. */
export const lockPartner = (tx: Tx, id: string): Promise<LockedPartner | null> =>
  table(tx, Partner).one(['id', 'userId', 'referralCode', 'status'], { id }, { lock: 'NO_KEY_UPDATE' });

/**
 * Locks the partner of a user, if there is one, and its standing, so that no pool that is counted meanwhile has a share for it,
 * and no event a commission.
 */
export async function lockPartnerOf(tx: Tx, userId: string): Promise<void> {
  const partner = await table(tx, Partner).one(['id'], { userId }, { lock: 'NO_KEY_UPDATE' });
  if (partner) await lockStandings(tx, [partner.id]);
}

/** Moves a locked partner, if `partnerStates` allows it. */
export async function movePartner(
  tx: Tx,
  { id, status }: Pick<LockedPartner, 'id' | 'status'>,
  to: PartnerStatus,
  at: Date,
): Promise<void> {
  if (!partnerStates.canMove(status, to))
    throw new Error(`Partner ${id} cannot move from ${status} to ${to}.`);
  const moved = await table(tx, Partner).update({ status: to, statusChangedAt: at }, { id, status });
  if (moved !== 1) throw new Error(`Partner ${id} is no longer ${status}.`);
}
