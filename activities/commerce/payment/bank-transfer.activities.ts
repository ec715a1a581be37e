import type { Db } from '../../../db/sql/query';
import type { BankTransferActivities } from '../../../workflows/commerce/payment/bank-transfer.contract';
import { confirmTransfer } from './confirm-transfer';

/** Transfers that administrators saw on the bank account. */
export const bankTransferActivities = ({ db }: { db: Db }): BankTransferActivities => ({
  confirmTransfer: (transfer) => confirmTransfer(db, transfer),
});
