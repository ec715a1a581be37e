import { z } from 'zod';
import { retryStep } from '../../../workflows/kit/parking.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { decidedShape, decideEach, severalOf } from '../decide-each';
import { decideOn, noteField, workflowIdField } from './decision';

const Result = decidedShape(
  z.string().meta({
    description: 'Identifies the process.',
    example: 'checkout:0199f3a2-51b0-7e08-8c47-6f0d9b3e2a15',
  }),
  'Why this one is not tried again.',
);

export const retryOperations = endpoint({
  id: 'retryOperations',
  returns: 'Of each process, whether it is tried again',
  method: 'post',
  path: '/admin/operations/retry',
  summary: 'Try the failed steps of several processes again',
  description:
    'Each is decided by itself, and the answer says of each whether it is tried again. SERVICE_UNAVAILABLE: it is not known, or there was no time for it; ask again under another key.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(30),

  body: z
    .object({
      ids: severalOf(workflowIdField('PARKED')).meta({ description: 'The `workflowId` of each, once.' }),
      note: noteField().describe('A note by an administrator.'),
    })
    .meta({ id: 'RetryOperationsRequest' }),
  success: 200,
  data: z
    .object({ results: z.array(Result).describe('The outcome of each, in the order of the request.') })
    .meta({ id: 'RetriedOperations' }),
  errors: {},

  async handle({ body: { ids, note } }, context) {
    await context.mint(...ids.map(noteNameOf));
    const results = await decideEach(context, ids, (workflowId) =>
      decideOn({ workflowId, update: retryStep, noteName: noteNameOf(workflowId), words: note }, context),
    );
    return { results };
  },
});

const noteNameOf = (workflowId: string): string => `note-${workflowId}`;
