import { z } from 'zod';
import { ownMatter, parkedState } from '../../../db/administration/operations/parking.reads';
import { isNoteStored, storeNote } from '../../../db/administration/idempotency/request-note.writes';
import { refusal } from '../../../workflows/errors';
import type { retryStep } from '../../../workflows/kit/parking.contract';
import type { Context } from '../../http/handler-context';
import { text } from '../../http/request/fields';
import { UNKNOWN_ID } from '../../http/request/ids/demo-ids';
import { identifying } from '../../http/request/ids/identified';

/** Longer than any id of a process: the longest name a provider (40 characters) and an id of ours. */
const LONGEST_ID = 400;

export const workflowIdField = (...states: readonly string[]) =>
  identifying(text({ min: 1, max: LONGEST_ID }), 'operation', ...states);

/** The path parameters of an operator's decision, `retry` or `abandon`. */
export const parkedProcess = (...states: readonly string[]) =>
  z.object({
    workflowId: workflowIdField(...states).meta({
      description: 'The process: `workflowId` in the list of operations.',
      example: `payment-refund:${UNKNOWN_ID}`,
    }),
  });

export const decided = <Verb extends 'retry' | 'abandon'>(verb: Verb) =>
  z.object({
    workflowId: z.string().describe('The id of the process.'),
    decision: z.literal(verb).describe('What was decided.'),
    decidedBy: z.uuid().describe('The administrator who decided.'),
  });

/** The reason of a decision, for the list and the audit trail. */
export const noteField = () =>
  text({ max: 500 }).optional().meta({ example: 'The bank has reopened the account.' });

export const DecisionBody = z.object({
  note: noteField().describe('A note by an administrator.'),
});

export const noSuchOperation = (): Error => refusal('OPERATION_NOT_FOUND');

/** A decision on one of the processes that a request decides on. */
interface Decision {
  workflowId: string;
  update: typeof retryStep;
  /** The name of its note among the ids of the request. */
  noteName: string;
  words: string | undefined;
}

/** Sends a decision to a parked process. The note names the operator for the audit trail. */
export async function decideOn(
  { workflowId, update, noteName, words }: Decision,
  context: Context<'admin'>,
): Promise<{ workflowId: string; decidedBy: string }> {
  const { db, caller, mint, processes, request } = context;
  // A repetition of a decision that the process has received is sent again, and gets the same answer.
  const noteId = (await mint(noteName))[noteName] ?? '';
  const state = await parkedState(db, workflowId);
  if (state !== 'PARKED' && !(await isNoteStored(db, noteId))) {
    if (state === null) throw noSuchOperation();
    throw refusal('NOT_PARKED');
  }
  const own = await ownMatter(db, workflowId, caller.id);
  if (own !== null) throw refusal('FORBIDDEN', `You cannot decide on ${own}.`);
  const { clientAddress } = request;
  const note = words === undefined || words === '' ? null : words;
  await storeNote(db, noteId, { actorId: caller.id, clientAddress, text: note });
  await processes.ask(workflowId, update, { noteId }, { updateId: request.idempotencyId });
  return { workflowId, decidedBy: caller.id };
}
