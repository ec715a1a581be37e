import { audited } from '../../../db/administration/audit/audit.writes';
import { lockProvider } from '../../../db/investment/provider/provider.reads';
import { replaceSecret } from '../../../db/investment/provider/provider.writes';
import type { Policy } from '../../../db/policy/config';
import { keysOf } from '../../../db/sealing/keys-of';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { SecretPurpose } from '../../../workflows/investment/strategy/strategy.rules';
import type { Actor } from '../actor';
import { HOUR_MS } from '../../../workflows/kit/values/durations.rules';
import { noSuchProvider } from './no-such-provider';

/** A new secret, and until when the one before it is accepted; null: not any more. */
interface Rotated {
  secret: string;
  previousValidUntil: Date | null;
}

/**
 * Makes a new secret of a provider. The one before it is accepted for the time of the policy if it is of reports; one
 * that was replaced before is not accepted any more. Refused: PROVIDER_NOT_FOUND.
 */
export function rotateSecret(
  { db, policy }: { db: Db; policy: Policy },
  { code, purpose }: { code: string; purpose: SecretPurpose },
  by: Actor,
): Promise<Rotated> {
  return inTransaction(db, async (tx) => {
    if (!(await lockProvider(tx, code))) throw noSuchProvider();
    // Read under the lock, so that the times of concurrent rotations are in their order.
    const at = new Date();
    // Tokens live some minutes and we sign them, so nothing is signed with an earlier key.
    const previousValidUntil =
      purpose === 'WEBHOOK' ? new Date(at.getTime() + policy.providerSecretHours * HOUR_MS) : null;
    const secret = await replaceSecret(tx, keysOf(tx), { code, purpose, untilThen: previousValidUntil }, at);
    await audited(
      tx,
      { ...by, at },
      'provider.rotate-secret',
      code,
      // Of the replaced secret.
      { validUntil: null },
      { validUntil: previousValidUntil ?? at },
      { purpose },
    );
    return { secret, previousValidUntil };
  });
}
