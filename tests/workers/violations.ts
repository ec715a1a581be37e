import type { Broken } from '../../db/invariants/invariant';
import { execute, type Tx } from '../../db/sql/query';
import { checkProcesses } from '../../workers/checks/check-processes';
import { startOptions, type ProcessDefinition } from '../../workflows/kit/process';
import { eventually } from '../support/checks/eventually';
import type { World } from '../support/worlds/world';

/** No grace periods: every difference counts at once. */
export const noGrace = { graceSeconds: 0, rowlessMs: 0 };

type Checked = Pick<World, 'temporal' | 'db'>;

/** The violations after a change of the database, which is reverted afterwards. */
export async function violationsAfter(
  { temporal, db }: Checked,
  statement: string,
  bind: readonly unknown[],
  options: object = noGrace,
): Promise<Broken[]> {
  const transaction = await db.sequelize.transaction();
  const tx: Tx = { sequelize: db.sequelize, transaction };
  try {
    expect(await execute(tx, statement, bind)).toBe(1);
    return await checkProcesses(temporal, tx, options);
  } finally {
    await transaction.rollback();
  }
}

/** The violations while a process runs on a queue without workers. */
export async function violationsWhileRunning<Input>(
  { temporal, db }: Checked,
  process: ProcessDefinition<Input>,
  input: Input,
): Promise<Broken[]> {
  const workflowId = process.id(input);
  const handle = await temporal.workflow.start(process.type, {
    ...startOptions(process, input),
    workflowId,
    taskQueue: 'nobody-serves-this',
  });
  try {
    return await eventually(async () => {
      const broken = await checkProcesses(temporal, db, noGrace);
      expect(broken).not.toEqual([]);
      return broken;
    });
  } finally {
    await handle.terminate();
  }
}

/** The one expected violation. */
export const one = (invariant: string, entity: string, detail: RegExp) => [
  { invariant, entity, detail: expect.stringMatching(detail) as string },
];
