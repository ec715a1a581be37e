import type { AwaitedSubject } from '../../../../db/commerce/bank-file/transfer-subject.reads';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { payoutProcess, transferReported } from '../../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { withdrawalProcess } from '../../../../workflows/investment/withdrawal/withdrawal.contract';
import type { Context } from '../../../http/handler-context';

/** Signals that are sent at the same time. */
const AT_ONCE = 10;

type Waking = Pick<Context, 'processes' | 'log'>;

/**
 * Tells the processes of transfers that have ended, also those that wait for an operator, to look at once; call it after the
 * commit. Ends with the first signal that fails, without an error: the processes look by themselves later.
 */
export async function wakeProcesses(
  { processes, log }: Waking,
  subjects: readonly AwaitedSubject[],
): Promise<void> {
  const awaited = subjects.filter(({ isAwaited }) => isAwaited);
  for (let first = 0; first < awaited.length; first += AT_ONCE) {
    const group = awaited.slice(first, first + AT_ONCE);
    const outcomes = await Promise.allSettled(group.map((subject) => wake(processes, subject)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) {
      log.warn({ err: failure.reason as unknown }, 'processes were not told that their transfers have ended');
      return;
    }
  }
}

function wake(processes: Waking['processes'], subject: AwaitedSubject): Promise<void> {
  const { id, kind, userId, participationId, amountMinor, currency } = subject;
  if (kind !== 'WITHDRAWAL') {
    const process = kind === 'PARTNER' ? payoutProcess : walletWithdrawalProcess;
    const label = amountInWords(amountMinor, currency);
    return processes.startAgain(process, { payoutId: id, userId, label, exists: true }, transferReported);
  }
  if (participationId === null) throw new Error(`Withdrawal ${id} has no participation.`);
  return processes.startAgain(
    withdrawalProcess,
    { withdrawalId: id, participationId, userId, exists: true },
    transferReported,
  );
}
