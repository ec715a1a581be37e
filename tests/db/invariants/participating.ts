import { execute } from '../../../db/sql/query';
import {
  participationMoved,
  participationProcess,
} from '../../../workflows/investment/participation/participation.contract';
import { investor, participationState } from '../../support/builders/investing/investors';
import { make } from '../../support/builders/make';
import { eventually } from '../../support/checks/eventually';
import type { World } from '../../support/worlds/world';
import { successorOf } from '../../workflows/investment/participation/participations';

/** Participations that run, by the id they have. */
export interface Participations {
  /** Paid from the balance. */
  running: string;
  /** Matured, and invested again. */
  matured: string;
  /** The participation that continues it; it runs. */
  next: string;
  strategyId: string;
}

export async function participating(world: World): Promise<Participations> {
  const { id: strategyId } = await make.strategy(world.db);
  const invest = async (options: object): Promise<string> => {
    const answer = await (await investor(world)).invest(strategyId, { options });
    expect(answer.status).toBe(201);
    return answer.body.data.participationId as string;
  };
  const [running, matured] = [await invest({}), await invest({ autoReinvest: true })];
  // Its provider has brought its maturity forward.
  await execute(world.db, 'UPDATE participations SET matures_at = started_at WHERE id = $1', [matured]);
  const { id } = participationProcess;
  await world.temporal.workflow.getHandle(id({ participationId: matured })).signal(participationMoved);
  await eventually(async () =>
    expect(await participationState(world.db, matured)).toMatchObject({ status: 'MATURED' }),
  );
  const next = await successorOf(world.db, matured);
  return { running, matured, next: next!.id, strategyId };
}
