import { z } from 'zod';
import { isParked } from '../../../db/administration/parking.reads';
import { keepNote } from '../../../db/administration/request-note.writes';
import { refusal } from '../../../workflows/errors';
import { abandonStep, retryStep } from '../../../workflows/parking.contract';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/fields';
import { perMinute } from '../../http/limits';

/** One decision of an operator on a parked process; the two differ in nothing but the word. */
const decision = (verb: 'retry' | 'abandon', summary: string, update: typeof retryStep) =>
  endpoint({
    method: 'post',
    path: `/admin/operations/:workflowId/${verb}`,
    summary,
    tag: 'Administration: operations',
    auth: 'admin',
    limit: perMinute(200),

    params: z.object({ workflowId: text({ min: 1, max: 255 }) }),
    success: 200,
    data: z.object({ workflowId: z.string(), decision: z.literal(verb), decidedBy: z.uuid() }),
    errors: { OPERATION_NOT_FOUND: 404, NOT_PARKED: 409 },

    async handle({ params: { workflowId } }, { db, caller, mint, processes, request }) {
      if (!(await isParked(db, workflowId)))
        throw refusal('OPERATION_NOT_FOUND', 'No process of this id waits for a person.');
      const noteId = await mint('note');
      await keepNote(db, noteId, { actorId: caller.id, clientAddress: request.clientAddress, text: null });
      await processes.ask(
        workflowId,
        update,
        { noteId },
        { updateId: request.wishId, otherwise: 'NOT_PARKED' },
      );
      return { workflowId, decision: verb, decidedBy: caller.id };
    },
  });

export const retryOperation = decision('retry', 'Try the failed step of a process again', retryStep);
export const abandonOperation = decision('abandon', 'Give the failed step of a process up', abandonStep);
