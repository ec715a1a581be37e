import { z } from 'zod';
import { isParked } from '../../../db/administration/operations/parking.reads';
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

/** Sends a decision to a parked process. The note names the operator for the audit trail. */
export async function decideOn(
  workflowId: string,
  update: typeof retryStep,
  context: Context<'admin'>,
): Promise<{ workflowId: string; decidedBy: string }> {
  const { db, caller, mint, processes, request } = context;
  // A repetition of a decision that the process has received is sent again, and gets the same answer.
  const { note } = await mint('note');
  if (!(await isParked(db, workflowId)) && !(await isNoteKept(db, note)))
    throw refusal('OPERATION_NOT_FOUND', 'No process of this id waits for a person.');
  const noteId = await noteOf(context, null);
  await processes.ask(
    workflowId,
    update,
    { noteId },
    { updateId: request.idempotencyId, ifClosed: 'NOT_PARKED' },
  );
  return { workflowId, decidedBy: caller.id };
}
