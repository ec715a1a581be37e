import { ApplicationFailure } from '@temporalio/common';
import { continueAsNew, setCurrentDetails, setHandler, Trigger } from '@temporalio/workflow';
import { refusalIn, refusalOf } from '../../errors';
import { parkingFor } from '../../kit/parking';
import { handlersFinished, now, localTransactions } from '../../kit/proxies';
import { Answers } from '../../kit/waiting/answers';
import { renewalBy } from '../../kit/waiting/renewal';
import * as contract from './bank-transfer.contract';
import type { BankTransfer, BankTransferResult, ConfirmedTransfer } from './bank-transfer.contract';
import { startRefunds } from '../refund/start-refunds';
import { tellPayable } from './tell-payable';

type Ending =
  | { result: 'APPLIED' | 'RETURNED'; confirmed: ConfirmedTransfer }
  | { result: 'REFUSED' | 'ABANDONED'; failure: ApplicationFailure };

/** One bank transfer: applied once in the database; then the process of what it paid is signalled, or its return is started. */
export async function bankTransfer(input: BankTransfer): Promise<BankTransferResult> {
  const { userId, ...transfer } = input;
  const ended = new Trigger<Ending>();
  const answers = new Answers();
  const outcome = answers.counted(async () => {
    const ending = await ended;
    if ('failure' in ending) throw ending.failure;
    return ending.confirmed;
  });
  setHandler(contract.transferOutcome, outcome);

  const renew = (): Promise<never> => continueAsNew<typeof bankTransfer>(input);
  const parking = parkingFor(transfer.captureId, renewalBy(renew, answers));
  const local = localTransactions<contract.BankTransferActivities>();
  let result: BankTransferResult;
  try {
    const { refundsDue, label, ...confirmed } = await parking.step('record the bank transfer', () =>
      local.confirmTransfer({ ...transfer, at: now() }).catch((error: unknown) => {
        // Nobody waits while a step is parked: the same transfer, entered again, is answered with its result.
        if (!refusalIn(error)) ended.resolve({ result: 'ABANDONED', failure: notYet() });
        throw error;
      }),
    );
    result = confirmed.outcome;
    ended.resolve({ result, confirmed });
    await startRefunds(refundsDue);
    if (result === 'APPLIED') await tellPayable({ ...transfer, userId, label }, { isToFulfil: true });
  } catch (error) {
    const failed = refusedEnding(error);
    result = failed.result;
    ended.resolve(failed);
  }
  setCurrentDetails(CLOSING_WORDS[result]);
  await handlersFinished();
  return result;
}

const notYet = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('The transfer could not be recorded yet.', 'TransferDelayed');

/** The answer when nothing was recorded. Any other error than a refusal fails the process. */
function refusedEnding(error: unknown): Extract<Ending, { failure: ApplicationFailure }> {
  const refused = refusalIn(error);
  if (!refused) throw error;
  const { code, message } = refused;
  // An operator's decision is not a refusal to the administrator who entered the transfer.
  if (code === 'ABANDONED')
    return { result: 'ABANDONED', failure: ApplicationFailure.nonRetryable(message, 'TransferAbandoned') };
  return { result: 'REFUSED', failure: refusalOf(refused) };
}

const CLOSING_WORDS: Record<BankTransferResult, string> = {
  APPLIED: 'The transfer paid what it was for.',
  RETURNED: 'The transfer did not fit; the money is on its way back.',
  REFUSED: 'Refused: nothing was recorded.',
  ABANDONED: 'Given up by an operator; enter the transfer again to have it recorded.',
};
