import type { Db } from '../../../db/sql';
import type { PaymentProvider } from './port';
import { sandboxProvider, type SandboxSettings } from './sandbox';

/** The payment companies that this platform works with, by code. */
export function paymentProviders(
  settings: { sandbox: SandboxSettings },
  db: Db,
): ReadonlyMap<string, PaymentProvider> {
  return new Map([sandboxProvider(settings.sandbox, db)].map((provider) => [provider.code, provider]));
}
