import { v7 } from 'uuid';
import { topUpActivities } from '../../../activities/ledger/top-up/top-up.activities';
import { paymentProviders } from '../../../activities/providers/payments';
import { policyFrom } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { OpenedTopUp, OpenTopUp, TopUpInput } from '../../../workflows/ledger/top-up/top-up.contract';
import type { PaymentOutcome } from '../../../workflows/commerce/payment/payment-report.rules';
import { make } from '../../support/builders/make';
import { orderSteps, storedReport } from '../../support/builders/ordering';
import { TOP_UP_MINOR } from '../../support/builders/wallets/top-ups';
import { providersConfigOf } from '../../support/worlds/providers';
import { stored } from '../commerce/chargeback/chargebacks';

/** Top-ups by their steps alone, without processes. */
export function toppingUp(own: { readonly db: Db }, variables: Readonly<Record<string, string>> = {}) {
  const policy = policyFrom(variables);
  const now = (): string => new Date().toISOString();
  const steps = () => ({
    ...orderSteps(own.db),
    ...topUpActivities({
      db: own.db,
      policy,
      payments: {
        providers: paymentProviders(providersConfigOf({ PUBLIC_URL: 'http://127.0.0.1' }), own.db),
        current: 'sandbox',
        bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
        accountHolder: 'Shop',
      },
    }),
  });

  /** A request for 100 USD by card, unless said otherwise; the same request is the same top-up. */
  const asked = (userId: string, change: Partial<OpenTopUp & TopUpInput & { at: string }> = {}) => ({
    ...{ topUpId: v7(), userId, attemptId: v7(), amountMinor: TOP_UP_MINOR, currency: 'USD' },
    ...{ paymentMethod: 'CARD' as const, at: now(), ...change },
  });

  /** A top-up that waits for its payment; by default of a new user. */
  async function opened(change: Parameters<typeof asked>[1] = {}): Promise<Opened> {
    const { userId = (await make.user(own.db)).id } = change;
    const command = asked(userId, change);
    return { ...command, answer: await steps().openTopUp(command) };
  }

  /** Applies a provider's report of its payment twice, as when the first answer was lost; answers the first. */
  async function reported(
    outcome: PaymentOutcome,
    { attemptId }: Pick<Opened, 'attemptId'>,
    change: { amountMinor?: number; paymentId?: string } = {},
  ) {
    const { webhookEventId } = await storedReport(own.db, outcome, {
      ...{ attemptId, amountMinor: TOP_UP_MINOR, ...change },
    });
    const first = await steps().applyPaymentEvent({ webhookEventId, at: now() });
    await steps().applyPaymentEvent({ webhookEventId, at: now() });
    return first;
  }

  /** A top-up that is in the wallet. */
  async function paid(change: Parameters<typeof asked>[1] = {}): Promise<Opened & { paymentId: string }> {
    const made = await opened(change);
    const paymentId = v7();
    await reported('PAID', made, { paymentId });
    return { ...made, paymentId };
  }

  /** Applies the report of a chargeback of its payment twice; answers both. */
  async function chargedBack(
    type: Parameters<typeof stored>[1],
    { topUpId, attemptId, paymentId }: Opened & { paymentId: string },
    {
      chargebackId = 'one',
      amountMinor = TOP_UP_MINOR,
    }: { chargebackId?: string; amountMinor?: number } = {},
  ) {
    const change = { paymentId, amountMinor, chargebackId };
    const webhookEventId = await stored(own.db, type, { orderId: topUpId, attemptId }, change);
    const first = await steps().applyPaymentEvent({ webhookEventId, at: now() });
    return { first, again: await steps().applyPaymentEvent({ webhookEventId, at: now() }) };
  }

  return { steps, now, asked, opened, reported, paid, chargedBack };
}

/** A top-up as it was asked for, and the answer. */
export interface Opened extends TopUpInput, OpenTopUp {
  at: string;
  answer: OpenedTopUp;
}
