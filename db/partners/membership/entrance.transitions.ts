import type { Attributes, CreationAttributes } from 'sequelize';
import { entranceStates, type EntranceStatus } from '../../../workflows/partners/membership/entrance.states';
import { clearingAccount, type LedgerLine } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { ENTRANCE_COLUMNS as COLUMNS, type Entrance } from './entrance.reads';
import { PartnerEntrance } from './partner-entrance.model';

/** Locks an entrance fee, so that every other move of it, and all its money, waits; null when there is none. */
export const lockEntrance = (tx: Tx, id: string): Promise<Entrance | null> =>
  table(tx, PartnerEntrance).one(COLUMNS, { id }, { lock: 'NO_KEY_UPDATE' });

/** Locks the entrance fee of a user that waits for its payment; null when none does. */
export const lockOpenEntrance = (tx: Tx, userId: string): Promise<Entrance | null> =>
  table(tx, PartnerEntrance).one(COLUMNS, { userId, status: 'PENDING_PAYMENT' }, { lock: 'NO_KEY_UPDATE' });

/** The next number, such as ENT-2026-00000012. */
export async function nextEntranceNumber(tx: Tx): Promise<string> {
  const next = await firstRow<{ number: string }>(
    tx,
    `SELECT 'ENT-' || to_char(now() AT TIME ZONE 'UTC', 'YYYY') || '-'
       || lpad(nextval('partner_entrance_numbers')::text, 8, '0') AS number`,
  );
  if (!next) throw new Error('The sequence of entrance numbers has no next value.');
  return next.number;
}

export const insertEntrance = (tx: Tx, row: CreationAttributes<PartnerEntrance>): Promise<void> =>
  table(tx, PartnerEntrance).insert(row);

type Changes = Partial<
  Pick<
    Attributes<PartnerEntrance>,
    'partnerId' | 'paymentStatus' | 'paymentMethod' | 'paymentExpiresAt' | 'paidAt'
  >
>;

/** Ends a locked entrance fee, if `entranceStates` allows it. */
export async function endEntrance(
  tx: Tx,
  { id, status }: Pick<Entrance, 'id' | 'status'>,
  to: Exclude<EntranceStatus, 'PENDING_PAYMENT'>,
  changes: Changes,
  at: Date,
): Promise<void> {
  if (!entranceStates.canMove(status, to))
    throw new Error(`Entrance ${id} cannot move from ${status} to ${to}.`);
  const moved = await table(tx, PartnerEntrance).update(
    { ...changes, status: to, endedAt: at, updatedAt: at },
    { id, status },
  );
  if (moved !== 1) throw new Error(`Entrance ${id} is no longer ${status}.`);
}

/** Changes a locked entrance fee that keeps its status. */
export async function changeEntrance(tx: Tx, id: string, changes: Changes, at: Date): Promise<void> {
  await table(tx, PartnerEntrance).update({ ...changes, updatedAt: at }, { id });
}

/** Books an entrance fee that its user's wallet paid, or the provider or bank whose payment arrived. */
export async function bookEntrance(
  tx: Tx,
  { id, userId, currency, amountMinor }: Entrance,
  paidFrom: { wallet: true } | { provider: string },
  at: Date,
): Promise<void> {
  const source: LedgerLine =
    'wallet' in paidFrom
      ? { account: 'wallet', userId, currency, amountMinor: -amountMinor }
      : { account: clearingAccount(paidFrom.provider), currency, amountMinor: -amountMinor };
  await postTransfer(tx, {
    reference: { kind: 'entrance', subjectId: id },
    entries: [source, { account: 'entrance_fees', currency, amountMinor }],
    at,
  });
}
