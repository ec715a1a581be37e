import { z } from 'zod';
import { storeNote } from '../../../../db/administration/idempotency/request-note.writes';
import { approvePayout } from '../../../../workflows/commerce/payout/payout.contract';
import { endpoint, type Endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { decidedShape, decideEach, severalOf } from '../../decide-each';
import type { PayoutDesk } from '../desk';
import { decide } from './decide';

const ApprovedPayouts = z
  .object({
    results: z
      .array(
        decidedShape(z.uuid().describe('Identifies the payout; a UUID.'), 'Why this one is not approved.'),
      )
      .describe('The outcome of each, in the order of the request.'),
  })
  .meta({ id: 'ApprovedPayouts' });

export const approvePayouts = (desk: PayoutDesk): Endpoint =>
  endpoint({
    ...desk.approveSeveral,
    summary: `Approve several ${desk.name}`,
    description:
      'Each is decided by itself, and the answer says of each whether it is approved. SERVICE_UNAVAILABLE: it is not known, or there was no time for it; ask again under another key.',
    tag: desk.tag,
    auth: 'admin',
    limit: perMinute(30),

    body: z.object({
      ids: severalOf(desk.one('PENDING').shape.id).meta({ description: 'Those to approve, each once.' }),
    }),
    success: 200,
    data: ApprovedPayouts,
    errors: {},

    async handle({ body: { ids } }, context) {
      const { caller, db, request } = context;
      const notes = await context.mint(...ids.map((id) => `note-${id}`));
      const results = await decideEach(context, ids, async (id) => {
        const noteId = notes[`note-${id}`] ?? '';
        const { clientAddress } = request;
        await storeNote(db, noteId, { actorId: caller.id, clientAddress, text: null, entityId: id });
        const decision = { id, noteId, action: 'APPROVE', update: approvePayout } as const;
        await decide(context, desk, { ...decision, command: { noteId } });
      });
      return { results };
    },
  });
