import type { BankTransferActivities } from '../../../workflows/commerce/payment-event/bank-transfer.contract';
import { steps, type DbDeps } from '../../steps';
import { confirmTransfer } from './confirm-transfer';

/** Transfers that administrators saw on the bank account. */
export const bankTransferActivities = (deps: DbDeps): BankTransferActivities =>
  steps<BankTransferActivities, DbDeps>(deps, { confirmTransfer });
