import type { TransferFigures } from '../../../db/commerce/payout/transfer-figures.reads';
import type { AddGauge } from './business-gauges';

/** Registers the gauges of money on its way out, and returns the function that sets them. */
export function transferGauges(add: AddGauge): (figures: TransferFigures) => void {
  const byHand = add(
    'platform_withdrawals_to_transfer',
    'Withdrawals and payouts that a person has to send from our bank account.',
  );
  const oldestByHand = add(
    'platform_withdrawals_to_transfer_oldest_seconds',
    'Time since the first of them was requested, or processed.',
  );
  const underWay = add(
    'platform_transfers_under_way_oldest_seconds',
    'Time since the first payout was processed, or withdrawal was asked for, about which its provider has not answered.',
    'provider',
  );
  const collected = add(
    'platform_bank_file_collected_oldest_seconds',
    'Time for which the first transfer has waited to be put into a bank file.',
  );
  const unreported = add(
    'platform_bank_file_unreported_oldest_seconds',
    'Time since the first bank file was made whose transfers the bank has not all reported on.',
  );
  const open = add('platform_payouts_open', 'Payouts that are not concluded, by status.', 'status');
  const held = add(
    'platform_payouts_held_amount_minor',
    'Money that is held for them, in minor units.',
    'currency',
  );
  return (figures) => {
    for (const { status, payouts } of figures.open) open.set({ status }, payouts);
    for (const { currency, amountMinor } of figures.held) held.set({ currency }, amountMinor);
    byHand.set(figures.byHand.transfers);
    oldestByHand.set(figures.byHand.oldestSeconds);
    for (const { provider, oldestSeconds } of figures.underWay) underWay.set({ provider }, oldestSeconds);
    collected.set(figures.bankFiles.collectedSeconds);
    unreported.set(figures.bankFiles.unreportedSeconds);
  };
}
