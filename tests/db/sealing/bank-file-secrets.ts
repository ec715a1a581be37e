import { randomUUID } from 'node:crypto';
import type { KeyRing } from '../../../db/sealing/key-ring';
import { sealPurposes } from '../../../db/sealing/purposes';
import { firstRow, type Db } from '../../../db/sql/query';
import { insert } from '../../support/builders/make/insert';

/** The rows of a file for the bank that each have one secret. */
export interface BankFileSecrets {
  bankFileId: string;
  transferId: string;
}

/** A file for the bank, and the destination of its transfer. */
export async function bankFileSecrets(db: Db, keys: KeyRing, userId: string): Promise<BankFileSecrets> {
  const [bankFileId, transferId] = [randomUUID(), randomUUID()];
  const at = new Date();
  await insert(db, 'bank_files', {
    ...{ id: bankFileId, transfer_count: 1, amount_minor: 1, currency: 'EUR', made_by: userId, made_at: at },
    content: keys.seal(Buffer.from('a bank file'), sealPurposes.bankFile(bankFileId)),
  });
  await insert(db, 'bank_file_transfers', {
    ...{ id: transferId, key: transferId, amount_minor: 1, currency: 'EUR', status: 'IN_FILE' },
    ...{ file_id: bankFileId, created_at: at },
    destination: keys.seal(Buffer.from('an IBAN'), sealPurposes.bankFileTransfer(transferId)),
  });
  return { bankFileId, transferId };
}

/** The secrets of these rows. Throws Unsealable. */
export async function openedBankFile(db: Db, keys: KeyRing, of: BankFileSecrets): Promise<object> {
  const row = await firstRow<{ content: Buffer; destination: Buffer }>(
    db,
    `SELECT f.content, t.destination FROM bank_files f JOIN bank_file_transfers t ON t.file_id = f.id WHERE f.id = $1`,
    [of.bankFileId],
  );
  return {
    bankFile: keys.open(row!.content, sealPurposes.bankFile(of.bankFileId)).toString(),
    bankFileTransfer: keys.open(row!.destination, sealPurposes.bankFileTransfer(of.transferId)).toString(),
  };
}
