import { Router } from 'express';
import type { Db } from '../../db/sql/query';
import type { Processes } from '../http/temporal/temporal';
import { partsProbe } from './readiness';

/** The state of this process, as `main` sets it. */
export interface Health {
  /** True once it shuts down. */
  stopping: boolean;
  /** True until Temporal knows our search attributes; it refuses to start processes with unknown ones. */
  registering: boolean;
}

/** /health/live: the process runs. /health/ready: the state of each part; 503 unless all of them work. */
export function healthPages(db: Db, processes: Processes, health: Health): Router {
  const router = Router();
  const probeParts = partsProbe(db, processes);
  router.get('/live', (_req, res) => {
    res.json({ status: 'live' });
  });
  router.get('/ready', async (_req, res) => {
    const probed = await probeParts();
    const isBehind = health.registering && probed.temporal === 'ok';
    const parts = { ...probed, ...(isBehind && { temporal: 'behind' as const }) };
    const areAllOk = Object.values(parts).every((state) => state === 'ok');
    const status = health.stopping ? 'stopping' : areAllOk ? 'ready' : 'not ready';
    res.status(status === 'ready' ? 200 : 503).json({ status, parts });
  });
  return router;
}
