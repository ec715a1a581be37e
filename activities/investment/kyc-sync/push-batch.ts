import { ApplicationFailure } from '@temporalio/common';
import {
  changedStandings,
  usersOfProvider,
  type ChangedStanding,
} from '../../../db/investment/kyc-push/kyc-push.reads';
import { markAccepted, markRefused } from '../../../db/investment/kyc-push/kyc-push.writes';
import { countBatch, recordProblem, takeTurn } from '../../../db/investment/kyc-push/kyc-sync.writes';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  KycPushBatch,
  KycPushBatchResult,
  KycPushResult,
} from '../../../workflows/investment/kyc-sync/kyc-push.contract';
import { outcomeOf } from '../../../workflows/investment/kyc-sync/kyc-sync.rules';
import type { Answer } from '../../providers/outbound/outbound';
import { sendStandings, type SendDeps } from './send-standings';

/** Users of one batch. */
const BATCH = 100;
/** Users that are looked at together, and the most of one step. */
const WINDOW = 1_000;
const MOST_WINDOWS = 20;
/** No call of a batch begins later: with the longest wait for its answer, a batch ends before its try does. */
const BATCH_MS = 25_000;
/** Behind it comes every user. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** The longest time that a provider's Retry-After delays a batch. */
const LONGEST_DELAY_SECONDS = 1_800;

export interface PushDeps extends SendDeps {
  perMinute: number;
  /** Waits; throws when the activity is cancelled. */
  sleep: (ms: number) => Promise<void>;
  /** The time in milliseconds. */
  clock: () => number;
}

/** A batch under way. */
interface Pushing extends KycPushResult {
  deps: PushDeps;
  run: { providerCode: string; startedAt: Date };
  at: string;
  calls: number;
  /** By the clock of `deps`. */
  endsAt: number;
  /** Users of the first message that did not fit into its time; null: all did. */
  left: number | null;
}

/**
 * Finds the next changed users, sends them, and marks them when the provider accepts. Those whose state it has refused
 * before follow one by one, the longest ago first, so that they hold up nobody. Who does not fit into its time is left to a
 * batch that begins at the same user.
 */
export async function pushBatch(
  deps: PushDeps,
  { providerCode, at, after, size }: KycPushBatch,
): Promise<KycPushBatchResult> {
  const run = { providerCode, startedAt: new Date(at) };
  const endsAt = deps.clock() + BATCH_MS;
  const found = await nextChanged(deps, run, after);
  const pushing: Pushing = { deps, run, at, endsAt, calls: 0, left: null, accepted: 0, refused: 0 };
  const fresh = found.changed.filter(({ refusedAt }) => refusedAt === null);
  const again = found.changed
    .filter(({ refusedAt }) => refusedAt !== null)
    .sort((one, other) => Number(one.refusedAt) - Number(other.refusedAt));
  try {
    const first = size ?? fresh.length;
    await push(pushing, fresh.slice(0, first));
    await push(pushing, fresh.slice(first));
    const isRefusing = pushing.refused > 0;
    for (const user of again) await push(pushing, [user]);
    const { accepted, refused, left } = pushing;
    return {
      ...{ accepted, refused, isRefusing: isRefusing && accepted === 0, size: left },
      after: left === null ? found.after : (after ?? BEFORE_ALL),
    };
  } catch (error) {
    if (!(error instanceof ApplicationFailure && error.type === NOT_ITS_TURN))
      await recordProblem(deps.db, run, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** The next changed users; `after`: the last user that was looked at, null if there are no more. */
async function nextChanged(
  { db }: Pick<PushDeps, 'db'>,
  { providerCode, startedAt }: Pushing['run'],
  from: string | null,
): Promise<{ changed: ChangedStanding[]; after: string | null }> {
  let after = from;
  for (let window = 0; window < MOST_WINDOWS; window++) {
    const users = await usersOfProvider(db, providerCode, { after, limit: WINDOW });
    const changed = await changedStandings(db, providerCode, users, {
      limit: BATCH,
      refusedBefore: startedAt,
    });
    const isWhole = changed.length < BATCH;
    after = isWhole ? (users.at(-1) ?? null) : (changed.at(-1)?.userId ?? null);
    if (isWhole && users.length < WINDOW) return { changed, after: null };
    if (changed.length > 0) return { changed, after };
  }
  return { changed: [], after };
}

/** Sends users, and halves them where their content is refused. Throws if it stays open whether they were accepted. */
async function push(pushing: Pushing, users: readonly ChangedStanding[]): Promise<void> {
  const { deps, run, at } = pushing;
  if (users.length === 0 || pushing.left !== null) return;
  if (!(await hasTurn(pushing))) {
    pushing.left = users.length;
    return;
  }
  const answer = await sendStandings(deps, run.providerCode, at, users);
  const outcome = outcomeOf(answer.status);
  if (outcome === 'UNKNOWN') throw unavailable(answer);
  if (outcome === 'CONTENT_REFUSED' && users.length > 1) {
    const half = Math.ceil(users.length / 2);
    await push(pushing, users.slice(0, half));
    await push(pushing, users.slice(half));
    return;
  }
  await settle(pushing, users, outcome, outcome === 'ACCEPTED' ? null : answered(answer));
}

/** Waits for the next turn to call the provider; false if that is later than the end of the batch. */
async function hasTurn(pushing: Pushing): Promise<boolean> {
  const { deps, run } = pushing;
  const withinMs = pushing.endsAt - deps.clock();
  if (withinMs <= 0 && pushing.calls > 0) return false;
  const turn = await takeTurn(deps.db, {
    ...run,
    perMinute: deps.perMinute,
    withinMs: Math.max(0, withinMs),
  });
  if (!turn.isTaken && pushing.calls === 0) throw notItsTurn(turn.waitMs);
  if (turn.isTaken) {
    pushing.calls += 1;
    await deps.sleep(turn.waitMs);
  }
  return turn.isTaken;
}

/** Marks and counts what became of users. */
async function settle(
  pushing: Pushing,
  users: readonly ChangedStanding[],
  outcome: 'ACCEPTED' | 'REFUSED' | 'CONTENT_REFUSED',
  problem: string | null,
): Promise<void> {
  const { deps, run } = pushing;
  const isAccepted = outcome === 'ACCEPTED';
  const batch = { accepted: isAccepted ? users.length : 0, refused: isAccepted ? 0 : users.length };
  const missed = outcome === 'REFUSED' ? users.length : 0;
  // By the clocks of two machines it may be earlier than the start of the run, and would be requested again.
  const refusedAt = new Date(Math.max(Date.now(), run.startedAt.getTime()));
  await inTransaction(deps.db, async (tx) => {
    if (isAccepted) await markAccepted(tx, run.providerCode, users, new Date());
    if (outcome === 'CONTENT_REFUSED')
      for (const user of users) await markRefused(tx, run.providerCode, user, refusedAt);
    await countBatch(tx, run, { ...batch, missed, problem });
  });
  pushing.accepted += batch.accepted;
  pushing.refused += batch.refused;
}

const answered = ({ status }: Answer): string => `The provider answered ${status}.`;

const NOT_ITS_TURN = 'NotItsTurn';

/** A failure after which the batch is begun again, when it is its turn to call the provider. */
const notItsTurn = (waitMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    message: 'Other calls to the provider come first.',
    type: NOT_ITS_TURN,
    nextRetryDelay: waitMs,
  });

/** A failure after which the batch is sent again. */
const unavailable = (answer: Answer): Error =>
  ApplicationFailure.create({
    message: answered(answer),
    type: 'ProviderUnavailable',
    ...(answer.retryAfterSeconds !== null && {
      nextRetryDelay: Math.min(answer.retryAfterSeconds, LONGEST_DELAY_SECONDS) * 1_000,
    }),
  });
