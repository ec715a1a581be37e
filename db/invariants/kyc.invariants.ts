import type { KycAction } from '../../workflows/kyc/kyc.rules';
import {
  kycVerificationStates,
  type KycVerificationStatus,
} from '../../workflows/kyc/review/kyc-review.states';
import { LEVEL_RANK } from '../kyc/standing/user-standing.reads';
import type { Invariant } from './invariant';

const text = (value: string): string => `'${value}'`;

/** The table of states as SQL, so that it is spelled once. */
const MOVES = Object.entries(kycVerificationStates.moves)
  .flatMap(([from, targets]) => targets.map((to) => `(${text(from)}, ${text(to)})`))
  .join(', ');

/** The status that an event of the history leaves; other events leave the status as it is. */
const STATUS_AFTER: Partial<Record<KycAction, KycVerificationStatus>> = {
  STARTED: 'DOCUMENTS_PENDING',
  SUBMITTED: 'SUBMITTED',
  CLAIMED: 'UNDER_REVIEW',
  RELEASED: 'SUBMITTED',
  INFO_REQUESTED: 'NEEDS_INFO',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
  EXPIRED: 'EXPIRED',
  SUPERSEDED: 'SUPERSEDED',
  WITHDRAWN: 'WITHDRAWN',
};
const STATUSES = Object.entries(STATUS_AFTER)
  .map(([action, status]) => `(${text(action)}, ${text(status)})`)
  .join(', ');

/** Rules of identity verification. */
export const kycInvariants: readonly Invariant[] = [
  {
    // `kyc-expiry` runs daily, and may take a while. Until then a lower approval may be newer than a higher one that is over.
    id: 'kyc.levels-are-approved',
    says: 'A level above BASIC is that of the highest approved verification whose time is not over, and approved ones end in time.',
    sql: `WITH approved AS (
        SELECT v.user_id, max(r.rank) AS highest, max(r.rank) FILTER (WHERE v.expires_at IS NULL OR v.expires_at > now()) AS in_force,
          min(v.expires_at) AS ends
        FROM kyc_verifications v CROSS JOIN LATERAL (SELECT ${LEVEL_RANK} AS rank) r WHERE v.status = 'APPROVED' GROUP BY v.user_id
      )
      SELECT u.id AS entity, format('level %s, approved %s, the first until %s', u.kyc_level,
        coalesce((ARRAY['BASIC', 'STANDARD', 'ENHANCED'])[a.highest], 'nothing'), coalesce(a.ends::text, 'ever')) AS detail
      FROM users u LEFT JOIN approved a ON a.user_id = u.id
      WHERE CASE WHEN a.user_id IS NULL THEN u.kyc_level IN ('STANDARD', 'ENHANCED')
        ELSE coalesce(array_position(ARRAY['BASIC', 'STANDARD', 'ENHANCED'], u.kyc_level), 0) NOT IN (a.highest, coalesce(a.in_force, a.highest))
          OR coalesce(a.ends < now() - interval '26 hours', false) END`,
  },
  {
    id: 'kyc.status-is-that-of-the-latest',
    says: "A user's status is that of their latest verification; if that has ended, of the approval in force; else NOT_STARTED.",
    sql: `SELECT u.id AS entity, format('%s, the latest verification is %s', u.kyc_status, coalesce(v.status, 'none')) AS detail
      FROM users u LEFT JOIN (
        SELECT DISTINCT ON (user_id) user_id, status FROM kyc_verifications ORDER BY user_id, created_at DESC, id DESC
      ) AS v ON v.user_id = u.id
      WHERE u.kyc_status <> CASE
        WHEN v.status IS NULL OR v.status IN ('EXPIRED', 'SUPERSEDED', 'WITHDRAWN') THEN
          CASE WHEN EXISTS (SELECT 1 FROM kyc_verifications a WHERE a.user_id = u.id AND a.status = 'APPROVED')
            THEN 'APPROVED' ELSE 'NOT_STARTED' END
        ELSE v.status END`,
  },
  {
    // Nobody decided those of the demo, which have no reviewer.
    id: 'kyc.decisions-are-recorded',
    says: 'A decision is in the history of its verification once, under its reviewer, and in the audit trail.',
    sql: `SELECT v.id AS entity, format('decided by %s; %s times in its history, %s times in the audit trail',
        coalesce(v.decided_by::text, 'nobody'), coalesce(h.times, 0), coalesce(a.times, 0)) AS detail
      FROM kyc_verifications v
      LEFT JOIN (
        SELECT kyc_id, count(*) AS times, min(performed_by::text) AS performed_by FROM kyc_history
        WHERE action IN ('APPROVED', 'REJECTED') GROUP BY kyc_id
      ) AS h ON h.kyc_id = v.id
      LEFT JOIN (
        SELECT entity_id, count(*) AS times FROM audit_records
        WHERE entity_type = 'kyc' AND action IN ('kyc.approve', 'kyc.reject') GROUP BY entity_id
      ) AS a ON a.entity_id = v.id::text
      WHERE coalesce(h.times, 0) <> CASE WHEN v.decided_at IS NULL THEN 0 ELSE 1 END
        OR h.performed_by IS DISTINCT FROM v.decided_by::text
        OR coalesce(a.times, 0) <> CASE WHEN v.decided_by IS NULL THEN 0 ELSE 1 END`,
  },
  {
    id: 'kyc.approved-documents-are-decided',
    says: 'No document of a verification that was approved is still UPLOADED, unless its user has removed it.',
    sql: `SELECT d.id AS entity, format('of verification %s, approved at %s', v.id, v.decided_at) AS detail
      FROM kyc_documents d JOIN kyc_verification_documents l ON l.document_id = d.id
      JOIN kyc_verifications v ON v.id = l.kyc_id
      WHERE l.status = 'UPLOADED' AND l.removed_at IS NULL AND v.level IS NOT NULL`,
  },
  {
    id: 'kyc.erased-accounts-hold-nothing',
    says: 'An account that was erased has no level, documents, personal data or verification that is open or in force.',
    sql: `SELECT u.id AS entity, format('erased at %s, level %s', u.erased_at, u.kyc_level) AS detail
      FROM users u
      WHERE u.erased_at IS NOT NULL AND (u.kyc_level IN ('STANDARD', 'ENHANCED')
        OR EXISTS (SELECT 1 FROM kyc_documents d WHERE d.user_id = u.id)
        OR EXISTS (SELECT 1 FROM kyc_document_tries t WHERE t.user_id = u.id)
        OR EXISTS (SELECT 1 FROM kyc_verifications v WHERE v.user_id = u.id AND (
          v.status IN ('DOCUMENTS_PENDING', 'SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO', 'APPROVED')
          OR v.personal_info IS NOT NULL OR v.document_number_mac IS NOT NULL OR v.requested_message IS NOT NULL
          OR EXISTS (SELECT 1 FROM kyc_history h WHERE h.kyc_id = v.id AND h.note IS NOT NULL))))`,
  },
  {
    id: 'kyc.follow-their-history',
    says: "A verification's history begins with DOCUMENTS_PENDING, makes only allowed moves, in time, and ends where it is.",
    sql: `WITH moves (origin, target) AS (VALUES ${MOVES}), statuses (action, status) AS (VALUES ${STATUSES}),
      steps AS (
        SELECT h.kyc_id, s.status, h.at, h.id, lag(s.status) OVER (PARTITION BY h.kyc_id ORDER BY h.at, h.id) AS previous
        FROM kyc_history h JOIN statuses s ON s.action = h.action
      ), judged AS (
        -- A claim is taken over by a SUPER_ADMIN, and from a reviewer who no longer is one.
        SELECT s.*, CASE WHEN previous IS NULL THEN status = 'DOCUMENTS_PENDING'
          WHEN previous = 'UNDER_REVIEW' AND status = 'UNDER_REVIEW' THEN true
          ELSE EXISTS (SELECT 1 FROM moves m WHERE m.origin = s.previous AND m.target = s.status) END AS allowed
        FROM steps s
      )
      SELECT v.id AS entity, format('is %s, went %s', v.status,
        coalesce(string_agg(j.status, ' → ' ORDER BY j.at, j.id), 'nowhere')) AS detail
      FROM kyc_verifications v LEFT JOIN judged j ON j.kyc_id = v.id
      GROUP BY v.id
      HAVING NOT coalesce(bool_and(j.allowed), false)
        OR (array_agg(j.status ORDER BY j.at DESC, j.id DESC))[1] IS DISTINCT FROM v.status`,
  },
];
