import type { Gauge } from 'prom-client';
import type { BusinessFigures } from '../../../db/administration/operations/business-figures.reads';

/** Registers a gauge with these labels. */
export type AddGauge = (name: string, help: string, ...labels: string[]) => Gauge;

/** Registers the gauges of the business, and returns the function that sets them. */
export function businessGauges(add: AddGauge): (windows: readonly BusinessFigures[]) => void {
  const gauge = (name: string, counted: string, ...labels: string[]) =>
    add(name, `${counted} within the last hour or day, read from the database.`, 'window', ...labels);
  const placed = gauge('platform_orders_placed', 'Orders placed');
  const paid = gauge('platform_orders_paid', 'Orders paid');
  const placedOnline = gauge('platform_online_orders_placed', 'Orders placed by card or e-wallet');
  const paidOnline = gauge('platform_online_orders_paid', 'Orders paid by card or e-wallet');
  const declined = gauge('platform_payments_declined', 'Attempts to pay that were declined');
  const registered = gauge('platform_registrations', 'Accounts registered');
  const requested = gauge('platform_refunds_requested', 'Refund requests');
  const completed = gauge('platform_refunds_completed', 'Refunds that reached their buyer', 'currency');
  const amount = gauge(
    'platform_refunds_completed_amount_minor',
    'Money of refunds that reached their buyer, in minor units,',
    'currency',
  );
  return (windows) => {
    for (const { window, refundsCompleted, ...counts } of windows) {
      placed.set({ window }, counts.placed);
      paid.set({ window }, counts.paid);
      placedOnline.set({ window }, counts.placedOnline);
      paidOnline.set({ window }, counts.paidOnline);
      declined.set({ window }, counts.declined);
      registered.set({ window }, counts.registered);
      requested.set({ window }, counts.refundsRequested);
      for (const { currency, refunds, amountMinor } of refundsCompleted) {
        completed.set({ window, currency }, refunds);
        amount.set({ window, currency }, amountMinor);
      }
    }
  };
}
