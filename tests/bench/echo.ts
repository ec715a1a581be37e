import { freePort } from '../../local/machine/ports';
import type { Stage } from './setting/stage';

/** A worker whose one process answers at once: the least time that an update of any process takes. */
export interface Echo {
  taskQueue: string;
  workflow: string;
  update: string;
  stop: () => Promise<void>;
}

export const ECHO = { taskQueue: 'echo', workflow: 'echoing', update: 'echo' } as const;

export async function startEcho(stage: Stage): Promise<Echo> {
  const port = await freePort();
  const { stop } = await stage.start('echo', 'echo-worker.ts', { PORT: String(port) }, port);
  return { ...ECHO, stop };
}
