import { restoreIsUnreleased } from '../../../db/administration/restore/restore.reads';
import { audited } from '../../../db/administration/audit/audit.writes';
import type { BankFileDebtor } from '../../../db/commerce/bank-file/config';
import { collectedCurrencies, putIntoFile } from '../../../db/commerce/bank-file/bank-file-transfer.writes';
import { insertBankFile } from '../../../db/commerce/bank-file/bank-file.writes';
import { keysOf } from '../../../db/sealing/keys-of';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal, refusalOf } from '../../../workflows/errors';
import type { Actor } from '../actor';
import { openCollected } from './collected/open';
import { creditTransferFile, type FiledTransfer } from './credit-transfer-file';

/** Transfers of one currency for a file, and those that were looked at and cannot be opened. */
interface FileContent {
  currency: string;
  transfers: FiledTransfer[];
  unreadable: string[];
}

/**
 * Makes a file of the collected transfers of one currency, that of the oldest, and seals it, in one transaction: there is never
 * a part of a file, nor a transfer in two. Transfers that cannot be opened are left out, and `onUnreadable` is told their ids.
 * Refuses with VALIDATION_ERROR (NOTHING_COLLECTED, TRANSFERS_UNREADABLE), and with FORBIDDEN (PAYOUTS_STOPPED) after a restore that
 * is not released: the bank may have carried out a file that was made after the copy.
 */
export async function makeBankFile(
  db: Db,
  id: string,
  debtor: BankFileDebtor,
  by: Actor & { actorId: string },
  onUnreadable: (ids: readonly string[]) => void = () => undefined,
): Promise<void> {
  const { transfers, unreadable } = await inTransaction(db, async (tx) => {
    if (await restoreIsUnreleased(tx)) throw restoreIsHeld();
    const content = await contentFor(tx);
    if (content.transfers.length > 0) await recordFile(tx, id, content, { debtor, by });
    return content;
  });
  if (unreadable.length > 0) onUnreadable(unreadable);
  if (transfers.length === 0) throw nothingToFile(unreadable);
}

async function recordFile(
  tx: Tx,
  id: string,
  { currency, transfers }: FileContent,
  { debtor, by }: { debtor: BankFileDebtor; by: Actor & { actorId: string } },
): Promise<void> {
  const madeAt = new Date();
  const text = creditTransferFile({ id, madeAt, debtor, currency, transfers });
  const amountMinor = transfers.reduce((sum, transfer) => sum + transfer.amountMinor, 0);
  const content = keysOf(tx).seal(Buffer.from(text), sealPurposes.bankFile(id));
  const transferCount = transfers.length;
  await insertBankFile(tx, { id, transferCount, amountMinor, currency, content, madeBy: by.actorId, madeAt });
  const taken = await putIntoFile(
    tx,
    id,
    transfers.map((transfer) => transfer.id),
  );
  if (taken !== transferCount)
    throw new Error(`Bank file ${id} has ${transferCount} transfers and took ${taken}.`);
  await audited(tx, { ...by, at: madeAt }, 'bank-file.make', id, null, {
    transfers: transferCount,
    amountMinor,
    currency,
  });
}

/** The oldest transfers that can be opened, of the currency of the first of them. */
async function contentFor(tx: Tx): Promise<FileContent> {
  const unreadable: string[] = [];
  for (const currency of await collectedCurrencies(tx)) {
    const opened = await openCollected(tx, currency);
    unreadable.push(...opened.unreadable);
    if (opened.transfers.length > 0) return { currency, transfers: opened.transfers, unreadable };
  }
  return { currency: '', transfers: [], unreadable };
}

const restoreIsHeld = (): Error =>
  refusalOf({
    code: 'FORBIDDEN',
    message: 'The database was restored from a copy, so no bank file is made until an operator releases it.',
    reason: 'PAYOUTS_STOPPED',
  });

const nothingToFile = (unreadable: readonly string[]): Error =>
  unreadable.length === 0
    ? businessRefusal('NOTHING_COLLECTED', 'No transfer waits for a bank file.')
    : businessRefusal(
        'TRANSFERS_UNREADABLE',
        'None of the transfers that wait can be opened: the key that sealed where they go is missing.',
      );
