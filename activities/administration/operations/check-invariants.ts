import { log } from '@temporalio/activity';
import { keepAuditHead } from '../../../db/administration/audit/audit-head.writes';
import {
  processCheckScope,
  type ProcessCheckScope,
} from '../../../db/administration/operations/invariant-run.reads';
import { keepInvariantRun } from '../../../db/administration/operations/invariant-run.transitions';
import type { BlobStore } from '../../../db/blobs/port';
import { brokenBlobs } from '../../../db/invariants/blob-checks';
import { brokenInvariants } from '../../../db/invariants/broken.reads';
import type { Broken } from '../../../db/invariants/invariant';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { JobWork } from '../job/job-work';

/** Compares Temporal's processes with the database; returns the differences. */
export type CheckProcesses = (check: ProcessCheckScope & { signal: AbortSignal }) => Promise<Broken[]>;

export interface InvariantCheckDeps {
  /** A pool for long work. */
  longDb: Db;
  blobs: BlobStore;
  checkProcesses: CheckProcesses;
  policy: Pick<Policy, 'eventPatienceDays'>;
}

/** The findings of one check. */
export interface InvariantFindings {
  /** The number of rows and processes that break an invariant; they are stored in invariant_runs. */
  broken: number;
  /** The ids of the broken invariants. */
  invariants: string[];
}

/** The hourly check. */
export const invariantWork =
  (deps: InvariantCheckDeps): JobWork =>
  async ({ at }, signal) => {
    const found = await checkInvariants(deps, at, signal);
    return { done: found.broken, words: wordsOf(found) };
  };

function wordsOf({ broken, invariants }: InvariantFindings): string {
  if (broken === 0) return 'All invariants hold.';
  return [
    `**${broken} rows or processes break an invariant**: ${invariants.join(', ')}.`,
    'GET /admin/operations lists them; `npm run invariants` checks again.',
  ].join('\n');
}

/** Checks all invariants and stores the findings as those of the check at `at`; repeated, they are not stored again. */
export async function checkInvariants(
  { longDb, blobs, checkProcesses, policy }: InvariantCheckDeps,
  at: Date,
  signal: AbortSignal,
): Promise<InvariantFindings> {
  const scope = await processCheckScope(longDb, at);
  const broken = [
    ...(await brokenInvariants(longDb, { signal, eventPatienceDays: policy.eventPatienceDays })),
    ...(await brokenBlobs(longDb, blobs, { signal })),
    ...(await checkProcesses({ ...scope, signal })),
  ];
  await inTransaction(longDb, (tx) => keepInvariantRun(tx, at, broken, scope.since === null));
  await logAuditHead(longDb, at, broken);
  return { broken: broken.length, invariants: [...new Set(broken.map(({ invariant }) => invariant))] };
}

/** Logs the end of the audit trail: an attacker who removes it from the database does not reach the log. */
async function logAuditHead(db: Db, at: Date, broken: readonly Broken[]): Promise<void> {
  const offences = broken.filter(({ invariant }) => invariant === 'audit.chain-holds');
  const head = offences.length > 0 ? null : await inTransaction(db, (tx) => keepAuditHead(tx, at));
  if (head) log.info('the audit trail is whole', { ...head });
  else if (offences.length > 0) log.error('the audit trail is not whole', { offences });
}
