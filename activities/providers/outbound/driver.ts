import { ProviderAddressConfig } from '../../../db/investment/provider/config';
import type { Driver } from '../driver';

/** Investment providers, which are rows and not code: all that is sent to them goes through one queue. */
export const investmentDriver = {
  code: 'investment',
  // The API refuses addresses that are not called.
  variables: { api: ProviderAddressConfig.shape, worker: ProviderAddressConfig.shape },
  callsPerSecond: 50,
  lookUpsPerSecond: null,
} satisfies Driver<unknown>;
