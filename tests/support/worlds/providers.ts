import { ProvidersConfig } from '../../../activities/providers/config';
import type { Driver } from '../../../activities/providers/driver';
import { drivers } from '../../../activities/providers/drivers';
import { messagesOf } from '../../../activities/providers/payments/read-message';
import type { PaymentWebhook } from '../../../activities/providers/payments/webhook';
import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import { ApiConfig } from '../../../api/config';
import { intakesOf } from '../../../api/payments/webhooks/intakes';
import { QUEUES, queuesOf } from '../../../workers/queues';
import { testVariables, type Variables } from './variables';

/** The configuration of workers for their drivers; `variables` differ from the usual ones. */
export const providersConfigOf = (variables: Variables = {}): ProvidersConfig =>
  ProvidersConfig.parse({ ...testVariables, ...variables });

/** A provider of payments that no release has: the entries of its folder, as the two lists would name them. */
export interface AddedProvider {
  driver: Driver<never>;
  webhook: PaymentWebhook<never>;
}

/** The parts of workers that follow from the list of drivers and the list of webhooks. */
export function workersWith({ driver, webhook }: AddedProvider, variables: Variables) {
  return {
    drivers: [...drivers, driver] as readonly Driver<ProvidersConfig>[],
    readMessage: messagesOf([...paymentWebhooks, webhook]),
    config: ProvidersConfig.extend(driver.variables.worker).parse(variables) as ProvidersConfig,
    queues: [...QUEUES, ...queuesOf([driver])],
  };
}

/** The part of the API that follows from the list of webhooks. */
export const intakesWith = ({ webhook }: AddedProvider, variables: Variables) =>
  intakesOf(
    [...paymentWebhooks, webhook] as readonly PaymentWebhook<ApiConfig>[],
    ApiConfig.extend(webhook.variables.api).parse(variables) as ApiConfig,
  );
