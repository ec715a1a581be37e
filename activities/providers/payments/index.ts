import type { Db } from '../../../db/sql/query';
import type { ProvidersConfig } from '../config';
import { byCode, type Driver } from '../driver';
import { drivers } from '../drivers';
import type { PaymentProvider } from './port';

/** The providers of buyers' money, by code; of those that need a key, the ones that have it. */
export const paymentProviders = (
  config: ProvidersConfig,
  db: Db,
  all: readonly Driver<ProvidersConfig>[] = drivers,
): ReadonlyMap<string, PaymentProvider> => byCode(all.map(({ payments }) => payments?.(config, db)));
