import { rows, type Tx } from '../../sql/query';
import type { WebhookKind } from '../webhook/webhook-event.reads';

/** The reports of an area's providers that are not settled. Ages in seconds; 0 where there is none. */
export interface ReportFigures {
  kind: WebhookKind;
  waiting: number;
  oldestWaitingSeconds: number;
  /** Reports that are DEAD, which nobody has had applied again or discarded. */
  dead: number;
  oldestDeadSeconds: number;
  /** Those of them that became DEAD within the last hour. */
  deadLastHour: number;
}

const secondsOf = (status: string, since: string): string =>
  `coalesce(greatest(extract(epoch FROM now() - min(${since}) FILTER (WHERE e.status = '${status}')), 0), 0)::float8`;

/** Reads them by the index of unfinished reports; each area has a row. */
export const reportFigures = (tx: Tx): Promise<ReportFigures[]> =>
  rows(
    tx,
    `SELECT kinds.kind,
            count(e.id) FILTER (WHERE e.status = 'WAITING')::int AS waiting,
            ${secondsOf('WAITING', 'e.received_at')} AS oldest_waiting_seconds,
            count(e.id) FILTER (WHERE e.status = 'DEAD')::int AS dead,
            ${secondsOf('DEAD', 'coalesce(e.processed_at, e.received_at)')} AS oldest_dead_seconds,
            count(e.id) FILTER (WHERE e.status = 'DEAD' AND e.processed_at > now() - interval '1 hour')::int
              AS dead_last_hour
       FROM unnest(ARRAY['PAYMENT', 'INVESTMENT']) AS kinds (kind)
       LEFT JOIN webhook_events e ON e.kind = kinds.kind AND e.status IN ('WAITING', 'DEAD')
      GROUP BY kinds.kind ORDER BY kinds.kind`,
  );
