import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { KycVerification } from '../verification/kyc-verification.model';

/** The statuses of verifications that reviewers still have to do with. */
export const QUEUED_STATUSES = ['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'] as const;
export type QueuedStatus = (typeof QUEUED_STATUSES)[number];

/** Conditions on verifications in the queue; one that is left out does not narrow. */
export interface QueueFilter {
  status?: QueuedStatus | undefined;
  priority?: Attributes<KycVerification>['priority'] | undefined;
  /** The reviewer who has claimed it. */
  assignedTo?: string | undefined;
}

export interface QueuePage {
  sortBy: 'submittedAt' | 'priority';
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** A verification in the queue. */
export type QueuedVerification = Pick<
  Attributes<KycVerification>,
  'id' | 'userId' | 'requestedLevel' | 'priority' | 'dueAt' | 'assignedTo'
> & {
  status: QueuedStatus;
  submittedAt: Date;
  email: string;
  name: string;
  assignedEmail: string | null;
  documentsCount: number;
};

export interface QueueStats {
  /** The number of those that match the filter; the others count the whole queue. */
  total: number;
  pending: number;
  underReview: number;
  needsInfo: number;
  /** Hours from the first submission to the decision, on average; null if there was no decision lately. */
  averageHours: number | null;
}

/** The condition of the index kyc_verifications_queue_idx. */
const QUEUED = `v.status IN ('SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO')`;
const PROCESSING_DAYS = 90;

/** The priority as a number; a higher one is more urgent. */
const URGENCY = `array_position(ARRAY['LOW', 'NORMAL', 'HIGH'], v.priority)`;

/**
 * One page of the queue. By priority the more urgent are first when descending, and of the same priority those that wait
 * longest are first.
 */
export function queuedVerifications(
  db: Db,
  filter: QueueFilter,
  { sortBy, sortOrder, limit, offset }: QueuePage,
): Promise<QueuedVerification[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const order =
    sortBy === 'priority'
      ? `${URGENCY} ${direction}, v.submitted_at, v.id`
      : `v.submitted_at ${direction}, v.id ${direction}`;
  return rows<QueuedVerification>(
    db,
    `WITH v AS MATERIALIZED (
       SELECT v.id, v.user_id, v.status, v.requested_level, v.priority, v.submitted_at, v.due_at, v.assigned_to
         FROM kyc_verifications v WHERE ${QUEUED} AND ${where}
        ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(offset)})
     SELECT v.id, v.user_id, v.status, v.requested_level, v.priority, v.submitted_at, v.due_at, v.assigned_to,
            u.email, u.first_name || ' ' || u.last_name AS name, a.email AS assigned_email,
            (SELECT count(*)::int FROM kyc_verification_documents l
              WHERE l.kyc_id = v.id AND l.removed_at IS NULL) AS documents_count
       FROM v JOIN users u ON u.id = v.user_id LEFT JOIN users a ON a.id = v.assigned_to
      ORDER BY ${order}`,
    values,
  );
}

/** The size of the queue, and how long decisions of the last 90 days took. */
export async function queueStats(db: Db, filter: QueueFilter): Promise<QueueStats> {
  const values: unknown[] = [];
  const where = conditionsOf(filter, (value) => `$${values.push(value)}`);
  const counted = await firstRow<QueueStats>(
    db,
    `SELECT count(*) FILTER (WHERE ${where})::int AS total,
            count(*) FILTER (WHERE v.status = 'SUBMITTED')::int AS pending,
            count(*) FILTER (WHERE v.status = 'UNDER_REVIEW')::int AS under_review,
            count(*) FILTER (WHERE v.status = 'NEEDS_INFO')::int AS needs_info,
            (SELECT (avg(extract(epoch FROM d.decided_at - d.first_submitted_at)) / 3600)::float8
               FROM kyc_verifications d
              WHERE d.rejection_reason IS DISTINCT FROM 'INFO_NOT_PROVIDED' AND d.decided_at > now() - interval '${PROCESSING_DAYS} days') AS average_hours
       FROM kyc_verifications v WHERE ${QUEUED}`,
    values,
  );
  return counted ?? { total: 0, pending: 0, underReview: 0, needsInfo: 0, averageHours: null };
}

function conditionsOf({ status, priority, assignedTo }: QueueFilter, bind: (value: unknown) => string) {
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`v.status = ${bind(status)}`);
  if (priority !== undefined) conditions.push(`v.priority = ${bind(priority)}`);
  if (assignedTo !== undefined) conditions.push(`v.assigned_to = ${bind(assignedTo)}`);
  return conditions.join(' AND ');
}
