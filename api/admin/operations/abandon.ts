import { abandonStep } from '../../../workflows/kit/parking.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { decided, DecisionBody, decideOn, parkedProcess } from './decision';

export const abandonOperation = endpoint({
  method: 'post',
  path: '/admin/operations/:workflowId/abandon',
  summary: 'Abandon the failed step of a process',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: parkedProcess,
  body: DecisionBody,
  success: 200,
  data: decided('abandon'),
  errors: { OPERATION_NOT_FOUND: 404, NOT_PARKED: 409 },

  async handle({ params: { workflowId }, body }, context) {
    return { ...(await decideOn(workflowId, abandonStep, body.note, context)), decision: 'abandon' as const };
  },
});
