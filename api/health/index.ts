import { Router } from 'express';
import type { Db } from '../../db/sql';
import type { Processes } from '../http/temporal';
import { readiness } from './readiness';

/** Whether this process still takes work; the one who stops it says no. */
export interface Health {
  stopping: boolean;
}

/** /health/live: the process runs. /health/ready: it can do its work, part by part; 503 when it cannot. */
export function healthPages(db: Db, processes: Processes, health: Health): Router {
  const router = Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'live' });
  });
  router.get('/ready', async (_req, res) => {
    const found = await readiness(db, processes, health.stopping);
    res.status(found.status === 'ready' ? 200 : 503).json(found);
  });
  return router;
}
