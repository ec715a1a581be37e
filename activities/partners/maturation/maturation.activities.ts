import { activityInfo } from '@temporalio/activity';
import {
  allowLongBatch,
  chooseDueCommissions,
  endOfDueBatch,
  matureChosenCommissions,
  type DuePart,
} from '../../../db/partners/commission/maturation.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  CommissionMaturationActivities,
  MaturationCursor,
  MaturedBatches,
} from '../../../workflows/partners/maturation/commission-maturation.contract';
import { withHeartbeat } from '../../heartbeat';

interface MaturationDeps {
  /** A pool for long work. */
  longDb: Db;
  policy: { commissionBatch: number };
  /** The time after which an activity ends, so that the process records how far it is. */
  turnMs?: number;
}

const TURN_MS = 60_000;

/** The daily maturation of commissions. */
export const maturationActivities = ({
  longDb,
  policy,
  turnMs = TURN_MS,
}: MaturationDeps): CommissionMaturationActivities => ({
  matureDueCommissions({ at, after }) {
    const done = startOfTurn(after);
    return withHeartbeat(
      async (signal) => {
        const until = Date.now() + turnMs;
        do {
          const { after } = done;
          const upTo = await endOfDueBatch(longDb, { at, after, limit: policy.commissionBatch });
          done.matured += await matureBatch(longDb, signal, { at, after, upTo });
          done.after = upTo;
        } while (done.after !== null && Date.now() < until);
        return { ...done };
      },
      () => ({ ...done }),
    );
  },
});

/** The state that the last heartbeat of an earlier try reported, or the beginning. */
function startOfTurn(after: MaturationCursor | null): MaturedBatches {
  const { heartbeatDetails } = activityInfo() as { heartbeatDetails?: MaturedBatches | null };
  return heartbeatDetails?.after ? { ...heartbeatDetails } : { matured: 0, after };
}

/**
 * One batch, in a transaction for each half of the partners, both at once: most of the time goes into the ledger's triggers,
 * on one core for each connection. Answers the number of matured commissions when both have ended; if one has failed, the
 * batch is repeated, and what the other did stays.
 */
async function matureBatch(longDb: Db, signal: AbortSignal, batch: Omit<DuePart, 'half'>): Promise<number> {
  const halves = await Promise.allSettled(
    ([0, 1] as const).map((half) =>
      inTransaction(longDb, (tx) => matureHalf(tx, signal, { ...batch, half })),
    ),
  );
  return halves.reduce((matured, half) => {
    if (half.status === 'rejected') throw half.reason;
    return matured + half.value;
  }, 0);
}

/** An aborted signal ends it between two statements, and nothing of it stays. */
async function matureHalf(tx: Tx, signal: AbortSignal, part: DuePart): Promise<number> {
  signal.throwIfAborted();
  await allowLongBatch(tx);
  await chooseDueCommissions(tx, part);
  signal.throwIfAborted();
  const matured = await matureChosenCommissions(tx, part.at);
  signal.throwIfAborted();
  return matured;
}
