import { z } from 'zod';
import { parkedState } from '../../../db/administration/operations/parking.reads';
import { isNoteKept } from '../../../db/administration/idempotency/request-note.writes';
import { refusal } from '../../../workflows/errors';
import type { retryStep } from '../../../workflows/kit/parking.contract';
import type { Context } from '../../http/endpoint';
import { noteOf } from '../../http/idempotency/note';
import { text } from '../../http/request/fields';

/** The path parameters of an operator's decision, `retry` or `abandon`. */
export const parkedProcess = z.object({ workflowId: text({ min: 1, max: 255 }) });

export const decided = <Verb extends 'retry' | 'abandon'>(verb: Verb) =>
  z.object({ workflowId: z.string(), decision: z.literal(verb), decidedBy: z.uuid() });

/** The reason of a decision, for the list and the audit trail. */
export const DecisionBody = z.object({
  note: text({ max: 500 }).optional().meta({ example: 'The bank has reopened the account.' }),
});

/** Sends a decision to a parked process. The note names the operator for the audit trail. */
export async function decideOn(
  workflowId: string,
  update: typeof retryStep,
  words: string | undefined,
  context: Context<'admin'>,
): Promise<{ workflowId: string; decidedBy: string }> {
  const { db, caller, mint, processes, request } = context;
  // A repetition of a decision that the process has received is sent again, and gets the same answer.
  const { note } = await mint('note');
  const state = await parkedState(db, workflowId);
  if (state !== 'PARKED' && !(await isNoteKept(db, note))) {
    if (state === null) throw refusal('OPERATION_NOT_FOUND', 'No such operation.');
    throw refusal('NOT_PARKED', 'This operation is being retried already.');
  }
  const noteId = await noteOf(context, words === '' ? null : (words ?? null));
  await processes.ask(
    workflowId,
    update,
    { noteId },
    { updateId: request.idempotencyId, ifClosed: 'NOT_PARKED' },
  );
  return { workflowId, decidedBy: caller.id };
}
