import { audited } from '../../../db/administration/audit/audit.writes';
import { bankFileBy, sealedContentOf } from '../../../db/commerce/bank-file/bank-file.reads';
import { Unsealable } from '../../../db/sealing/cipher';
import { keysOf } from '../../../db/sealing/keys-of';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';
import { noSuchBankFile } from './bank-file.view';

/**
 * The bytes of a file, whose read is recorded: it holds where money goes. Refused: BANK_FILE_NOT_FOUND, also once it is
 * forgotten; ALREADY_SETTLED when all its transfers have ended, as those of a withdrawn file, which are sent by later
 * files; PROVIDER_NOT_CONFIGURED while it cannot be opened.
 */
export const readBankFile = (db: Db, id: string, by: Actor): Promise<{ bytes: Buffer; madeAt: Date }> =>
  inTransaction(db, async (tx) => {
    const file = await bankFileBy(tx, id);
    const sealed = file && (await sealedContentOf(tx, id));
    if (!sealed) throw noSuchBankFile();
    if (file.underWay === 0)
      throw refusal(
        'ALREADY_SETTLED',
        'Every transfer of this file has ended: the bank must not get it again.',
      );
    const bytes = opened(tx, id, sealed);
    const { transferCount: transfers, madeAt } = file;
    await audited(tx, by, 'bank-file.read', id, null, { transfers });
    return { bytes, madeAt };
  });

function opened(tx: Tx, id: string, sealed: Buffer): Buffer {
  try {
    return keysOf(tx).open(sealed, sealPurposes.bankFile(id));
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    throw refusal(
      'PROVIDER_NOT_CONFIGURED',
      'This file cannot be opened: the key that sealed it is missing. It can be read again once SEALING_KEYS has that key.',
    );
  }
}
