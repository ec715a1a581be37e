import { keysOf } from '../../sealing/keys-of';
import type { Db } from '../../sql/query';
import { guardStart, StartRefused } from '../../program/start-guard';
import { chainHash, isGenuine } from './audit-chain';
import { contentOf, lastHead, lastLink } from './audit.reads';

/** The refusal to start with keys that differ from those of the other processes' audit records. */
class AuditKeyError extends StartRefused {
  override readonly name = 'AuditKeyError';
}

/**
 * Rejects with AuditKeyError unless our keys verify the newest audit record and the last stored head: a record under an
 * unknown key would break the chain for good. One of the two suffices for a key, so that an altered record does not
 * prevent starts.
 */
export async function requireAuditKeys(db: Db): Promise<void> {
  const keys = keysOf(db);
  const [link, head] = [await lastLink(db), await lastHead(db)];
  const verified = new Map<string, boolean>();
  const addResult = (keyId: string, isGood: boolean) =>
    verified.set(keyId, isGood || verified.get(keyId) === true);
  if (link)
    addResult(link.keyId, chainHash(keys, link.keyId, link.previousHash, contentOf(link)) === link.hash);
  if (head) addResult(head.keyId, isGenuine(keys, head));
  for (const [keyId, isGood] of verified) {
    if (isGood) continue;
    const problem = keys.has(keyId) ? 'has another key under the name' : 'lacks the key';
    throw new AuditKeyError(
      `SEALING_KEYS ${problem} ${keyId}, by which the audit trail was linked. ` +
        'Use the keys of the running API and workers; a new one is first appended to them everywhere.',
    );
  }
}

/** Runs `requireAuditKeys` at the start of a program, also while its database is unreachable. */
export const guardAuditKeys = (
  db: Db,
  log: Parameters<typeof guardStart>[1],
  fail: (error: unknown) => void,
): Promise<void> =>
  guardStart(
    { check: () => requireAuditKeys(db), unknownMessage: 'the keys of the audit trail are not checked yet' },
    log,
    fail,
  );
