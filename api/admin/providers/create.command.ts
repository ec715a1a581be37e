import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import { audited } from '../../../db/administration/audit/audit.writes';
import { providerByCode, type ProviderRecord } from '../../../db/investment/provider/provider.reads';
import {
  createProvider,
  type NewSecrets,
  type ProviderFields,
} from '../../../db/investment/provider/provider.writes';
import { keysOf } from '../../../db/sealing/keys-of';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal } from '../../../workflows/errors';
import type { Actor } from '../actor';
import { noSuchProvider } from './no-such-provider';

/** Drivers that report nothing: our bank account, its files, mail, and the queue of all investment providers. */
const SILENT_DRIVERS: readonly string[] = ['bank', 'bank-file', 'mail', 'investment'];

/** True if a code is that of a driver of ours, by which accounts, reports or queues are known. */
const isOurs = (code: string): boolean =>
  SILENT_DRIVERS.includes(code) || paymentWebhooks.some((webhook) => webhook.code === code);

/**
 * Adds a provider and makes its secrets. Refused: PROVIDER_CODE_TAKEN, also for the codes of payment providers,
 * whose accounts and reports are in the same tables.
 */
export function addProvider(
  db: Db,
  provider: ProviderFields & { code: string },
  by: Actor,
): Promise<NewSecrets & { provider: ProviderRecord }> {
  const { code } = provider;
  return inTransaction(db, async (tx) => {
    if (isOurs(code)) throw codeTaken();
    const at = new Date();
    const secrets = await createProvider(tx, keysOf(tx), provider, at);
    if (!secrets) throw codeTaken();
    const added = await providerByCode(tx, code);
    if (!added) throw noSuchProvider();
    await audited(tx, { ...by, at }, 'provider.create', code, null, provider);
    return { ...secrets, provider: added };
  });
}

const codeTaken = () =>
  businessRefusal('PROVIDER_CODE_TAKEN', 'Another provider has this code.', { code: ['is taken'] });
