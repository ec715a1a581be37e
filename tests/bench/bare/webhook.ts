import { createHash } from 'node:crypto';
import express, { Router } from 'express';
import { v7 } from 'uuid';
import { storeWebhookEvent } from '../../../db/administration/webhook/webhook-event.writes';
import type { Db } from '../../../db/sql/query';

/** Stores a provider's report in the same table, without verifying it. */
export function bareWebhook(db: Db): Router {
  const router = Router();
  router.post('/:area/webhooks/:provider', express.text({ type: () => true }), async (req, res) => {
    const [id, at, body] = [v7(), new Date(), String(req.body)];
    await storeWebhookEvent(db, {
      id,
      kind: req.params.area === 'investment' ? 'INVESTMENT' : 'PAYMENT',
      provider: req.params.provider,
      externalEventId: req.get('webhook-id')!,
      type: JSON.parse(body).type,
      body,
      bodyHash: createHash('sha256').update(body).digest('hex'),
      known: false,
      at,
    });
    res.status(202).json({ success: true, data: { eventId: id, status: 'ACCEPTED' } });
  });
  return router;
}
