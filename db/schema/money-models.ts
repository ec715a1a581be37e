import { Payout } from '../commerce/payout/payout.model';
import { PayoutDecision } from '../commerce/payout/payout-decision.model';
import { BankFile } from '../commerce/bank-file/bank-file.model';
import { BankFileTransfer } from '../commerce/bank-file/bank-file-transfer.model';
import { Restore } from '../administration/restore/restore.model';
import { FailedRefund } from '../commerce/refund/reported/failed-refund.model';
import { LedgerCheckpoint } from '../ledger/reconciliation/ledger-checkpoint.model';
import { LedgerHold } from '../ledger/ledger-hold.model';
import { TopUp } from '../ledger/top-up/top-up.model';
import { ProviderMovement } from '../commerce/reconciliation/provider-movement.model';
import { ProviderReconciliation } from '../commerce/reconciliation/provider-reconciliation.model';
import { ProviderPayment } from '../investment/provider-payment/provider-payment.model';
import { ProviderWriteOff } from '../investment/provider-payment/provider-write-off.model';
import { ReconciliationDifference } from '../commerce/reconciliation/reconciliation-difference.model';

/** The tables of money that users pay in and get out, of its comparison with providers, of what holds it, and of what investment providers pay, or never will. */
export const moneyModels = [
  ...[Payout, PayoutDecision, BankFile, BankFileTransfer, TopUp],
  ...[ProviderMovement, ProviderReconciliation, ReconciliationDifference, FailedRefund, Restore],
  ...[LedgerHold, LedgerCheckpoint, ProviderPayment, ProviderWriteOff],
];
