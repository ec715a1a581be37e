import { rows, type Db } from '../../../db/sql/query';
import type { ClientLog } from '../requests/client-log';

interface Found {
  id: string;
  userId: string;
  status: string;
  level: string;
  submitted: boolean;
  decisions: number;
  records: number;
  canResubmit: boolean;
  /** The number of times that each event is in its history. */
  events: Record<string, number>;
}

/** The events that these requests leave in the history, once each. */
const EVENTS = {
  submitKyc: 'SUBMITTED',
  claimKyc: 'CLAIMED',
  releaseKyc: 'RELEASED',
  requestKycInfo: 'INFO_REQUESTED',
  allowResubmission: 'RESUBMISSION_ALLOWED',
} as const;

const DECISIONS = ['approveKyc', 'rejectKyc'] as const;

/**
 * Compares identity verifications with what their users and reviewers were answered: one verification a person, submitted
 * if it was answered so, decided once as the reviewer was answered, with one record of it in the audit trail; and every
 * other request carried out once.
 */
export async function untrueVerifications(db: Db, log: ClientLog): Promise<string[]> {
  const users = log.of('startKyc').map(({ userId }) => userId);
  const all = await rows<Found>(
    db,
    `SELECT v.id, v.user_id, v.status, u.kyc_level AS level, v.submitted_at IS NOT NULL AS submitted, v.can_resubmit,
            (SELECT coalesce(jsonb_object_agg(e.action, e.times), '{}') FROM (
              SELECT action, count(*) AS times FROM kyc_history WHERE kyc_id = v.id GROUP BY action) AS e) AS events,
            (SELECT count(*)::int FROM kyc_history h
              WHERE h.kyc_id = v.id AND h.action IN ('APPROVED', 'REJECTED')) AS decisions,
            (SELECT count(*)::int FROM audit_records a WHERE a.entity_id = v.id::text
              AND a.action IN ('kyc.approve', 'kyc.reject')) AS records
       FROM kyc_verifications v JOIN users u ON u.id = v.user_id WHERE v.user_id = ANY ($1::uuid[])`,
    [users],
  );
  const found = new Map(all.map((one) => [one.id, one]));
  return [
    ...users
      .filter((userId) => all.filter((one) => one.userId === userId).length > 1)
      .map((userId) => `user ${userId} has several verifications; they requested one`),
    ...all
      .filter(({ status, decisions, records }) => {
        const expected = ['APPROVED', 'REJECTED'].includes(status) ? 1 : 0;
        return decisions !== expected || records !== expected;
      })
      .map(
        ({ id, status, decisions, records }) =>
          `verification ${id} is ${status} with ${decisions} decisions and ${records} audit records`,
      ),
    ...log
      .of('submitKyc')
      .filter(({ outcome, kycId }) => outcome === 'ok' && !found.get(kycId ?? '')?.submitted)
      .map(({ kycId }) => `verification ${kycId} was answered as submitted; it is not`),
    ...all.flatMap((one) => untrueEvents(log, one)),
    ...log
      .of('allowResubmission')
      .filter(({ outcome, kycId }) => outcome === 'ok' && !found.get(kycId ?? '')?.canResubmit)
      .map(({ kycId }) => `verification ${kycId} was answered as open to another one; it is not`),
    ...DECISIONS.flatMap((operation) =>
      log
        .of(operation)
        .filter(({ outcome, kycId }) => outcome === 'ok' && !isDecided(found.get(kycId ?? ''), operation))
        .map(
          ({ kycId }) =>
            `${operation} of ${kycId} was answered as done; it is ${found.get(kycId ?? '')?.status}`,
        ),
    ),
  ];
}

/** Requests that were answered as done happened, those refused at once did not, and none twice. */
const untrueEvents = (log: ClientLog, { id, events }: Found): string[] =>
  (Object.keys(EVENTS) as (keyof typeof EVENTS)[]).flatMap((operation) => {
    const sent = log.of(operation).filter(({ kycId }) => kycId === id);
    const done = sent.filter(({ outcome }) => outcome === 'ok').length;
    const most = sent.filter(({ outcome, troubles }) => outcome !== 'fail' || troubles.length > 0).length;
    const times = events[EVENTS[operation]] ?? 0;
    return times >= done && times <= most
      ? []
      : [`${operation} of ${id} was answered as done ${done} of ${most} times; it was done ${times} times`];
  });

const isDecided = (found: Found | undefined, operation: (typeof DECISIONS)[number]): boolean =>
  operation === 'approveKyc'
    ? found?.status === 'APPROVED' && found.level === 'STANDARD'
    : found?.status === 'REJECTED';
