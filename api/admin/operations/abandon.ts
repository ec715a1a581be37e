import { earnsByParkedEvent } from '../../../db/partners/membership/own-partner.reads';
import { refusal } from '../../../workflows/errors';
import { abandonStep } from '../../../workflows/kit/parking.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { decided, DecisionBody, decideOn, parkedProcess } from './decision';

export const abandonOperation = endpoint({
  id: 'abandonOperation',
  returns: 'The decision',
  method: 'post',
  path: '/admin/operations/:workflowId/abandon',
  summary: 'Abandon the failed step of a process',
  description:
    'The step is given up; the process goes on without it as far as it can. Money on its way out is left to a person only if its provider has certainly not sent it; else it stays with the provider, and parks again with the reason. The decision is in the audit log.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: parkedProcess('PARKED'),
  body: DecisionBody,
  success: 200,
  data: decided('abandon'),
  errors: { FORBIDDEN: 403, OPERATION_NOT_FOUND: 404, NOT_PARKED: 409 },

  async handle({ params: { workflowId }, body }, context) {
    // A refund that is not counted takes nothing back, and a payment that is not counted pays another one's share.
    if (await earnsByParkedEvent(context.db, context.caller.id, workflowId))
      throw refusal('FORBIDDEN', 'You cannot give up an event of your own network.');
    const decision = { workflowId, update: abandonStep, noteName: 'note', words: body.note };
    return { ...(await decideOn(decision, context)), decision: 'abandon' as const };
  },
});
