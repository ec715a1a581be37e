import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { ChangedStanding } from '../../../db/investment/kyc-push/kyc-push.reads';
import { providerByCode, providerSecrets } from '../../../db/investment/provider/provider.reads';
import { keysOf } from '../../../db/sealing/keys-of';
import type { Db } from '../../../db/sql/query';
import { belowAddress } from '../../../workflows/investment/provider-address.rules';
import { AddressRefused } from '../../providers/outbound/address';
import type { Answer, Outbound } from '../../providers/outbound/outbound';
import { webhookSignature } from '../../providers/webhook';

export interface SendDeps {
  db: Db;
  outbound: Outbound;
}

/** Sends a batch. The same content in the same run has the same webhook-id, by which the provider knows a repetition. */
export async function sendStandings(
  { db, outbound }: SendDeps,
  providerCode: string,
  runAt: string,
  changed: readonly ChangedStanding[],
): Promise<Answer> {
  const provider = await providerByCode(db, providerCode);
  const now = new Date();
  const [secret] = await providerSecrets(db, keysOf(db), providerCode, 'WEBHOOK', now);
  if (!provider?.apiBase || !provider.isActive) throw final('The provider is not active, or has no API.');
  if (secret === undefined) throw final('The provider has no secret for webhooks.');
  const body = bodyOf(changed);
  const id = `kyc_${createHash('sha256').update(`${providerCode}:${runAt}:${body}`).digest('base64url')}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': webhookSignature({ id, timestamp, body }, secret),
  };
  try {
    return await outbound.post(belowAddress(provider.apiBase, 'kyc').href, { headers, body });
  } catch (error) {
    throw error instanceof AddressRefused ? final(error.message) : error;
  }
}

const bodyOf = (changed: readonly ChangedStanding[]): string =>
  JSON.stringify({
    users: changed.map(({ userId, email, kycStatus, kycLevel, approvedAt, expiresAt }) => ({
      ...{ userId, email, kycStatus, kycLevel },
      ...{ approvedAt: approvedAt?.toISOString() ?? null, expiresAt: expiresAt?.toISOString() ?? null },
    })),
  });

/** A failure that a repetition within the run would not change. */
const final = (message: string): Error => ApplicationFailure.nonRetryable(message, 'PushImpossible');
