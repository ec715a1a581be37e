import { Router } from 'express';
import type { Db } from '../../db/sql/query';
import type { Processes } from '../http/temporal/temporal';
import { partsOf } from './readiness';

/** Whether this process still takes work; the one who stops it says no. */
export interface Health {
  stopping: boolean;
}

/** /health/live: the process runs. /health/ready: it can do its work, part by part; 503 when it cannot. */
export function healthPages(db: Db, processes: Processes, health: Health): Router {
  const router = Router();
  const askParts = partsOf(db, processes);
  router.get('/live', (_req, res) => {
    res.json({ status: 'live' });
  });
  router.get('/ready', async (_req, res) => {
    const parts = await askParts();
    const isWell = Object.values(parts).every((state) => state === 'ok');
    const status = health.stopping ? 'stopping' : isWell ? 'ready' : 'not ready';
    res.status(status === 'ready' ? 200 : 503).json({ status, parts });
  });
  return router;
}
