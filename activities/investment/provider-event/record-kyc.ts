import { v7 } from 'uuid';
import { addProviderReport } from '../../../db/investment/kyc-push/kyc-provider-report.writes';
import { hasInvestedWith } from '../../../db/investment/provider-event/reported.reads';
import { lockLevel } from '../../../db/kyc/standing/user-standing.writes';
import { userStanding } from '../../../db/kyc/standing/user-standing.reads';
import { keysOf } from '../../../db/sealing/keys-of';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Tx } from '../../../db/sql/query';
import type { Effect } from './effect';
import type { ProviderEvent } from './event-forms';

/** Stores what a provider says of the identity of a user who invests there, for the reviewer. It approves nothing. */
export async function recordKyc(
  tx: Tx,
  { id: webhookEventId, provider, data }: ProviderEvent<'kyc.synced'>,
  at: Date,
): Promise<Effect> {
  const { userId, status, level } = data;
  const known = (await lockLevel(tx, userId)) !== null;
  const user = known ? await userStanding(tx, userId) : null;
  if (!user || user.erasedAt !== null)
    return { outcome: 'WAITING', reason: `Its user ${userId} is not known.`, waitsFor: null };
  if (!(await hasInvestedWith(tx, provider, userId)))
    return {
      outcome: 'WAITING',
      reason: `Its user ${userId} has no investment with this provider.`,
      waitsFor: null,
    };
  const id = v7();
  const sealed =
    data.data === undefined
      ? null
      : keysOf(tx).seal(Buffer.from(JSON.stringify(data.data)), sealPurposes.kycProviderReport(id));
  await addProviderReport(tx, {
    ...{ id, userId, providerCode: provider, status, level, data: sealed, webhookEventId },
    receivedAt: at,
  });
  return { outcome: 'APPLIED', moved: null };
}
