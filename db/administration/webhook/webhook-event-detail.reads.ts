import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import type { ListedWebhookEvent } from './webhook-event-list.reads';
import { WebhookEvent } from './webhook-event.model';

/** A report with its text, which has personal data. */
export type StoredReport = ListedWebhookEvent &
  Pick<Attributes<WebhookEvent>, 'body' | 'waitsFor' | 'confirmedAt'>;

/** One report; null when there is none. */
export const storedReport = (db: Db, id: string): Promise<StoredReport | null> =>
  table(db, WebhookEvent).one(
    [
      ...(['id', 'kind', 'provider', 'externalEventId', 'type', 'status', 'attempts', 'lastError'] as const),
      ...(['receivedAt', 'processedAt', 'body', 'waitsFor', 'confirmedAt'] as const),
    ],
    { id },
  );
