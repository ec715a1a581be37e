import { retryStep } from '../../../workflows/kit/parking.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { decided, DecisionBody, decideOn, parkedProcess } from './decision';

export const retryOperation = endpoint({
  id: 'retryOperation',
  returns: 'The decision',
  method: 'post',
  path: '/admin/operations/:workflowId/retry',
  summary: 'Try the failed step of a process again',
  description: 'The step runs again at once, with new attempts. The decision is in the audit log.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: parkedProcess('PARKED'),
  body: DecisionBody,
  success: 200,
  data: decided('retry'),
  errors: { FORBIDDEN: 403, OPERATION_NOT_FOUND: 404, NOT_PARKED: 409 },

  async handle({ params: { workflowId }, body }, context) {
    const decision = { workflowId, update: retryStep, noteName: 'note', words: body.note };
    return { ...(await decideOn(decision, context)), decision: 'retry' as const };
  },
});
