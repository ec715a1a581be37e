import { v7 } from 'uuid';
import { bankFilePayouts } from '../../../../activities/providers/payouts/bank-file/driver';
import { makeBankFile } from '../../../../api/admin/bank-files/make.command';
import { firstRow, type Db } from '../../../../db/sql/query';
import { bankName } from '../../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { make } from '../make';

/** The account that the files of tests pay from, as `testVariables` have it. */
export const debtor = { name: 'Demo Shop', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };

/** A transfer that a bank file can hold. */
export const sepaOrder = (change: object = {}) => ({
  key: v7(),
  amountMinor: 12_345,
  currency: 'EUR',
  destination: {
    method: 'BANK_TRANSFER' as const,
    accountHolder: 'Ada Lovelace',
    iban: 'DE89370400440532013000',
  },
  ...change,
});

/** Transfers that wait for a file, by what they are called in it. */
export async function collected(
  db: Db,
  amounts: readonly number[] = [12_345],
  currency = 'EUR',
): Promise<string[]> {
  const names: string[] = [];
  for (const amountMinor of amounts) {
    const order = sepaOrder({ amountMinor, currency });
    await bankFilePayouts(db).sendTransfer(order);
    const row = await firstRow<{ id: string }>(db, 'SELECT id FROM bank_file_transfers WHERE key = $1', [
      order.key,
    ]);
    names.push(bankName(row!.id));
  }
  return names;
}

/** The id of a transfer by what it is called in files. */
export const idOf = (name: string): string =>
  name.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * A file of new transfers, and of all others of its currency that wait; by what they are called in it. What waits longer in
 * another currency gets a file first.
 */
export async function filed(
  db: Db,
  amounts?: readonly number[],
  currency?: string,
): Promise<{ fileId: string; transfers: string[] }> {
  const transfers = await collected(db, amounts, currency);
  const { id: actorId } = await make.admin(db);
  for (;;) {
    const fileId = v7();
    await makeBankFile(db, fileId, debtor, { actorId, clientAddress: '127.0.0.1' });
    const known = await firstRow(db, 'SELECT 1 FROM bank_file_transfers WHERE id = $1 AND file_id = $2', [
      ...[idOf(transfers[0]!), fileId],
    ]);
    if (known) return { fileId, transfers };
  }
}

/** The words of a bank on one transfer. */
export interface Said {
  transfer: string;
  status?: string;
  /** Codes of reasons; of the bank's own with `=` before them. */
  reason?: string;
  amount?: string;
  /** By default EUR. */
  currency?: string;
}

const tag = (name: string, content: string | undefined): string =>
  content === undefined ? '' : `<${name}>${content}</${name}>`;
/** Reasons, one after another: codes, or with `=` before it the bank's own. */
const reasonOf = (codes: string | undefined): string =>
  (codes?.split(' ') ?? [])
    .map((code) => (code.startsWith('=') ? tag('Prtry', code.slice(1)) : tag('Cd', code)))
    .map((reason) => tag('StsRsnInf', tag('Rsn', reason)))
    .join('');

/** The words of a bank on a whole file, and what it repeats of it. */
export interface SaidOfAll {
  group?: string;
  payment?: string;
  /** Of the payment if it has a status, else of the file. */
  reason?: string;
  groupReason?: string;
  paymentId?: string;
  count?: string;
  sum?: string;
}

/** A bank's report on a file (pain.002.001.10). */
export function statusReport(fileId: string, said: readonly Said[], all: SaidOfAll = {}): Buffer {
  const name = bankName(fileId);
  const transactions = said.map(({ transfer, status, reason, amount, currency = 'EUR' }) =>
    tag(
      'TxInfAndSts',
      tag('OrgnlEndToEndId', transfer) +
        tag('TxSts', status) +
        reasonOf(reason) +
        (amount === undefined
          ? ''
          : tag('OrgnlTxRef', tag('Amt', `<InstdAmt Ccy="${currency}">${amount}</InstdAmt>`))),
    ),
  );
  const body =
    tag('GrpHdr', tag('MsgId', 'BANK-1') + tag('CreDtTm', '2026-11-23T10:00:00')) +
    tag(
      'OrgnlGrpInfAndSts',
      tag('OrgnlMsgId', name) +
        tag('OrgnlMsgNmId', 'pain.001.001.09') +
        tag('OrgnlNbOfTxs', all.count) +
        tag('OrgnlCtrlSum', all.sum) +
        tag('GrpSts', all.group) +
        (all.payment === undefined ? reasonOf(all.reason) : reasonOf(all.groupReason)),
    ) +
    tag(
      'OrgnlPmtInfAndSts',
      tag('OrgnlPmtInfId', all.paymentId ?? name) +
        tag('OrgnlNbOfTxs', all.count) +
        tag('OrgnlCtrlSum', all.sum) +
        tag('PmtInfSts', all.payment) +
        (all.payment === undefined ? '' : reasonOf(all.reason)) +
        transactions.join(''),
    );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">${tag('CstmrPmtStsRpt', body)}</Document>`,
  );
}
