import type { StartProcess } from '../activities';
import { commissionEngineProcess } from '../workflows/partners/commission/commission-engine.contract';

/** Starts the commission engines that do not run; the sweep does the same every minute. */
export async function startCommissionEngines(start: StartProcess, engines: number): Promise<void> {
  for (let engine = 0; engine < engines; engine++) await start(commissionEngineProcess, { engine });
}
