import { isCancellation, log } from '@temporalio/workflow';
import type { Entity } from '../../kit/entity';
import { now, providerLookup } from '../../kit/proxies';
import { startRefunds } from '../refund/start-refunds';
import type { FoundMoneyActivities, FoundPayment, PaymentLookupActivities } from './found-money.contract';
import type { PayableRef } from '../payable/payable.rules';

/** Finds money that providers have but did not report. A provider that does not answer must not block what is reserved. */
export async function lookForMoney(
  payable: PayableRef,
  process: Pick<Entity<unknown>, 'step'>,
  local: FoundMoneyActivities,
): Promise<void> {
  const at = now();
  const providers = await process.step('find the providers that may have money', () =>
    local.providersToAsk(payable),
  );
  if (providers.length === 0) return;
  const answers = await Promise.all(providers.map((provider) => lookUp({ ...payable, provider, at })));
  const lookUps = {
    ...payable,
    found: answers.flatMap((answer) => answer ?? []),
    complete: !answers.includes(null),
    at,
  };
  const refunds = await process.step('apply what the providers say', () => local.applyLookUps(lookUps));
  if (refunds.length > 0)
    log.warn('money that pays nothing was found and goes back', { ...payable, refunds });
  await startRefunds(refunds);
}

/** A provider's answers on the attempts with it; null when it could not be asked. */
async function lookUp(
  attempts: Parameters<PaymentLookupActivities['lookUpPayments']>[0],
): Promise<FoundPayment[] | null> {
  try {
    return await providerLookup<PaymentLookupActivities>(attempts.provider).lookUpPayments(attempts);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a provider could not be asked; money that comes later will be sent back', { ...attempts });
    return null;
  }
}
