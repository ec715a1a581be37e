import { postTransfer } from '../../ledger/ledger.transitions';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { providerAccount } from '../participation/participation-ledger.transitions';
import { countDebt } from './provider-debt.transitions';
import { ProviderWriteOff } from './provider-write-off.model';
import type { ProviderWriteOffRow } from './provider-write-off.reads';

/**
 * Records a write-off, books it as a loss, and counts what its provider owes then, of which `debtLimit` is the most, in whole
 * units. The caller has locked the provider. The database refuses more than is owed.
 */
export async function bookWriteOff(tx: Tx, writeOff: ProviderWriteOffRow, debtLimit: number): Promise<void> {
  const { id, providerCode, amountMinor, currency, createdAt: at } = writeOff;
  await table(tx, ProviderWriteOff).insert(writeOff);
  await postTransfer(tx, {
    reference: { kind: 'provider-write-off', subjectId: id },
    entries: [
      { account: 'losses', currency, amountMinor: -amountMinor },
      { account: providerAccount(providerCode), currency, amountMinor },
    ],
    at,
  });
  await countDebt(tx, writeOff, at, debtLimit);
}
