import type { Attributes } from 'sequelize';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Chargeback } from './chargeback.model';

const RECORDED = ['id', 'captureId', 'amountMinor', 'status', 'feeMinor', 'feeCurrency'] as const;

export type RecordedChargeback = Pick<Attributes<Chargeback>, (typeof RECORDED)[number]>;

/** A chargeback by the provider's id; null when none is recorded. The lock of what was paid for guards it too. */
export const chargebackBy = (
  tx: Tx,
  provider: string,
  providerChargebackId: string,
): Promise<RecordedChargeback | null> =>
  table(tx, Chargeback).one(RECORDED, { provider, providerChargebackId });

type NewChargeback = Pick<
  Attributes<Chargeback>,
  keyof PayableIds | 'id' | 'captureId' | 'provider' | 'providerChargebackId' | 'amountMinor' | 'currency'
> & { fee: { amountMinor: number; currency: string } | undefined };

/** Records money that a bank has just taken. */
export const insertChargeback = (tx: Tx, { fee, ...chargeback }: NewChargeback, at: string): Promise<void> =>
  table(tx, Chargeback).insert({
    ...chargeback,
    status: 'TAKEN',
    feeMinor: fee?.amountMinor ?? 0,
    feeCurrency: fee?.currency ?? null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  });

/** Records how a chargeback was decided, and its fee in all by now. */
export async function changeChargeback(
  tx: Tx,
  id: string,
  changes: Pick<Attributes<Chargeback>, 'status' | 'feeMinor' | 'feeCurrency'>,
  at: string,
): Promise<void> {
  await table(tx, Chargeback).update({ ...changes, updatedAt: new Date(at) }, { id });
}
