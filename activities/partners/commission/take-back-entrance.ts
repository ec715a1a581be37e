import { bookCommissions } from '../../../db/partners/commission/commission-ledger.transitions';
import { entranceChargedBack } from '../../../db/partners/commission/partner-sale.transitions';
import { entranceById } from '../../../db/partners/membership/entrance.reads';
import { changeStandings, earnedBy } from '../../../db/partners/membership/standing.transitions';
import type { Tx } from '../../../db/sql/query';
import { wholeWeight } from '../../../workflows/partners/commission/earning.rules';
import type { EventRow } from './count-event';
import type { Counting } from '../counting/counting';
import { reverseCommissions } from './reverse-commissions';

/** Money of an entrance fee that a bank has taken back for good, or returned. */
export interface EntranceChargeback extends EventRow {
  entranceId: string;
  amountMinor: number;
  restores: boolean;
}

/** Takes back the part of the commissions of an entrance fee that a lost chargeback takes, or restores it. */
export async function takeBackEntrance(
  tx: Tx,
  { eventId, entranceId, amountMinor, restores }: EntranceChargeback,
  { at }: Counting,
): Promise<void> {
  const fee = await entranceById(tx, entranceId);
  if (!fee) throw new Error(`There is no entrance fee ${entranceId}.`);
  const lostMinor = Math.min(fee.amountMinor, await entranceChargedBack(tx, entranceId, eventId));
  const takenMinor = restores ? 0 - amountMinor : amountMinor;
  const taken = { baseMinor: takenMinor, commissionWeight: wholeWeight(takenMinor) };
  const { bookings, earnedBy: sums } = await reverseCommissions(
    tx,
    { sourceId: entranceId, eventId, weightTaken: wholeWeight(lostMinor), taken, restores },
    at,
  );
  await changeStandings(
    tx,
    [...sums].map(([partnerId, netMinor]) => earnedBy(partnerId, netMinor)),
  );
  await bookCommissions(tx, bookings, at);
}
