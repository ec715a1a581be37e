import { poolRun } from '../../../support/builders/make/partners/pool-runs';
import type { World } from '../../../support/worlds/world';
import { earned, type Commissions } from './earned';
import { entered, type Entrances } from './entered';
import { partnering, type Partnering } from './partnering';

/** The partner programme of a world in which everything came right. */
export interface Programme {
  entrances: Entrances;
  commissions: Commissions;
  partnering: Partnering;
  /** A leadership pool with one share, and a partner without enough volume. */
  poolRunId: string;
}

/** Partners, their commissions and a pool. */
export async function programmeIn(world: World): Promise<Programme> {
  return {
    entrances: await entered(world),
    commissions: await earned(world),
    partnering: await partnering(world),
    poolRunId: (await poolRun(world.db)).id,
  };
}
