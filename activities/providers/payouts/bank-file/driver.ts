import { v7 } from 'uuid';
import { sealDestination } from '../../../../db/commerce/payout/destination';
import { bankFileTransferBy, type KnownTransfer } from '../../../../db/commerce/bank-file/bank-file.reads';
import {
  collectTransfer,
  lockTransfer,
  refuseCollected,
} from '../../../../db/commerce/bank-file/bank-file-transfer.writes';
import { BankFileConfig } from '../../../../db/commerce/bank-file/config';
import { unfitIban } from '../../../../db/commerce/bank-file/iban';
import { keysOf } from '../../../../db/sealing/keys-of';
import { sealPurposes } from '../../../../db/sealing/purposes';
import type { Db, Tx } from '../../../../db/sql/query';
import { bankName, unfitForFile } from '../../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { refusal } from '../../../../workflows/errors';
import type { Driver } from '../../driver';
import type {
  PayoutProvider,
  TransferFate,
  TransferOrder,
  TransferRefused,
  TransferToTakeBack,
} from '../port';

export const bankFileDriver = {
  code: 'bank-file',
  // The API makes the files.
  variables: { api: BankFileConfig.shape, worker: BankFileConfig.shape },
  callsPerSecond: 10,
  lookUpsPerSecond: 5,
  payouts: (_config, db) => bankFilePayouts(db),
} satisfies Driver<unknown>;

/**
 * Our bank, which gets its orders in files. A transfer is collected; an administrator makes a file of all that are of one
 * currency, hands it to the bank, and enters the report of the bank, which ends them. What no file can hold is refused for
 * certain.
 */
export const bankFilePayouts = (db: Db): PayoutProvider => ({
  code: 'bank-file',
  methods: ['BANK_TRANSFER'],
  // A call is one statement, which is refused once the money is with somebody else.
  certainAfterMs: 30_000,
  remembersForMs: null,

  async sendTransfer(order) {
    const before = await bankFileTransferBy(db, order.key);
    if (before) return answerTo(order, before);
    const reason = unfitForFile(order) ?? unfitIban(order);
    if (reason !== null) return { status: 'refused', reason };
    const id = v7();
    const destination = sealDestination(keysOf(db), sealPurposes.bankFileTransfer(id), order.destination);
    if (await collectTransfer(db, { ...order, id, destination })) return { status: 'accepted' };
    const known = await bankFileTransferBy(db, order.key);
    if (!known) throw new Error(`The transfer ${order.key} is neither new nor known.`);
    return answerTo(order, known);
  },

  async lookUpTransfer(key) {
    const known = await bankFileTransferBy(db, key);
    return known && fateOf(known);
  },

  takeBack,
});

const COLLECTED = 'Abandon the operation first: bank-file is still trying to send it.';
const IN_FILE =
  'Its transfer is in a bank file, which the bank may carry out. Enter the bank’s report on that file, or withdraw the file, first.';

/** Takes a transfer out of the collection. A file that is made at the same time waits for this, or this for it. */
async function takeBack(tx: Tx, { key, reason, at }: TransferToTakeBack): Promise<boolean> {
  const transfer = await lockTransfer(tx, key);
  switch (transfer?.status) {
    case undefined:
      return false;
    case 'REFUSED':
      return true;
    case 'COLLECTED':
      if (!(await refuseCollected(tx, transfer.id, reason, at)))
        throw new Error(`Transfer ${transfer.id} changed under its lock.`);
      return true;
    case 'IN_FILE':
      throw refusal('CANNOT_SETTLE', IN_FILE);
    case 'ARRIVED':
      throw refusal('CANNOT_SETTLE', 'Its transfer by a bank file has only just arrived. Try again.');
  }
}

/** The answer to a transfer that is sent again. Throws when its key is of another one. */
function answerTo(
  { key, amountMinor, currency }: TransferOrder,
  known: KnownTransfer,
): { status: 'accepted' } | TransferRefused {
  if (known.amountMinor !== amountMinor || known.currency !== currency)
    throw new Error(`The key ${key} is of another transfer.`);
  const fate = fateOf(known);
  return fate.status === 'refused' ? fate : { status: 'accepted' };
}

function fateOf({ id, amountMinor, status, refusedBecause }: KnownTransfer): TransferFate {
  switch (status) {
    case 'COLLECTED':
      return { status: 'under way', endedBy: { code: 'CANNOT_SETTLE', message: COLLECTED } };
    case 'IN_FILE':
      return { status: 'under way', endedBy: { code: 'CANNOT_SETTLE', message: IN_FILE } };
    case 'ARRIVED':
      return { status: 'arrived', transferId: bankName(id), amountMinor };
    case 'REFUSED':
      return { status: 'refused', reason: refusedBecause ?? 'The bank gave no reason.' };
  }
}
