import { keysOf } from '../../sealing/keys-of';
import type { Db } from '../../sql/query';
import { guardStart, StartRefused } from '../../schema/start-guard';
import { chainHash, isGenuine } from './audit-chain';
import { contentOf, lastHead, lastLink } from './audit.reads';

/** What this process would record could not be verified by the others, nor what they have recorded by this one. */
class AuditKeyError extends StartRefused {
  override readonly name = 'AuditKeyError';
}

/**
 * Rejects with AuditKeyError unless our keys verify the newest audit record and the head that was kept last: a record
 * under a key that nobody else has would break the chain for good. One of both is proof enough of a key, so that a
 * record that was altered keeps nobody from starting.
 */
export async function requireAuditKeys(db: Db): Promise<void> {
  const keys = keysOf(db);
  const [link, head] = [await lastLink(db), await lastHead(db)];
  const verified = new Map<string, boolean>();
  const note = (keyId: string | null | undefined, isGood: boolean) => {
    if (keyId) verified.set(keyId, isGood || verified.get(keyId) === true);
  };
  if (link) note(link.keyId, chainHash(keys, link.keyId, link.previousHash, contentOf(link)) === link.hash);
  if (head) note(head.keyId, isGenuine(keys, head));
  for (const [keyId, isGood] of verified) {
    if (isGood) continue;
    const problem = keys.has(keyId) ? 'has another key under the name' : 'lacks the key';
    throw new AuditKeyError(
      `SEALING_KEYS ${problem} ${keyId}, by which the audit trail was linked. ` +
        'Use the keys of the running API and workers; a new one is first appended to them everywhere.',
    );
  }
}

/** The same for a program that starts, also before its database answers. */
export const guardAuditKeys = (
  db: Db,
  log: Parameters<typeof guardStart>[1],
  fail: (error: unknown) => void,
): Promise<void> =>
  guardStart(
    { check: () => requireAuditKeys(db), unknown: 'the keys of the audit trail are not checked yet' },
    log,
    fail,
  );
