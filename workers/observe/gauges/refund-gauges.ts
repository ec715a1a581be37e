import type { OwedRefunds } from '../../../db/commerce/refund/owed-refunds.reads';
import type { AddGauge } from './business-gauges';

/** Registers the gauges of money that buyers are to get back, and returns the function that sets them. */
export function refundGauges(add: AddGauge): (figures: OwedRefunds) => void {
  const owed = add(
    'platform_refunds_owed',
    'Refunds that have not reached their buyers; ABANDONED: a person has to send them.',
    'status',
  );
  const oldest = add(
    'platform_refunds_owed_oldest_seconds',
    'Time since the oldest of them began.',
    'status',
  );
  const amount = add('platform_refunds_owed_amount_minor', 'Money of them, in minor units.', 'currency');
  return (figures) => {
    for (const { status, refunds, oldestSeconds } of figures.refunds) {
      owed.set({ status }, refunds);
      oldest.set({ status }, oldestSeconds);
    }
    for (const { currency, amountMinor } of figures.amounts) amount.set({ currency }, amountMinor);
  };
}
