import type { Db } from '../../../db/sql/query';
import type { ProvidersConfig } from '../config';
import { byCode, type Driver } from '../driver';
import { drivers } from '../drivers';
import type { ProviderStatement } from './port';

/** The statements of providers, by code; of those that need a key, the ones that have it. */
export const providerStatements = (
  config: ProvidersConfig,
  db: Db,
  all: readonly Driver<ProvidersConfig>[] = drivers,
): ReadonlyMap<string, ProviderStatement> => byCode(all.map(({ statement }) => statement?.(config, db)));
