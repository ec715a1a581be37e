import type { Broken } from '../../db/invariants/invariant';
import { execute, type Tx } from '../../db/sql/query';
import { checkProcesses } from '../../workers/checks/check-processes';
import { startOptions, type ProcessDefinition } from '../../workflows/kit/process';
import { eventually } from '../support/checks/eventually';
import type { World } from '../support/worlds/world';

/** Waits for nothing: what disagrees now, counts. */
export const impatient = { graceSeconds: 0, rowlessMs: 0 };

type Seen = Pick<World, 'temporal' | 'db'>;

/** What is seen while the database says something else than it did; then it is taken back. */
export async function seenAfter(
  { temporal, db }: Seen,
  statement: string,
  bind: readonly unknown[],
  options: object = impatient,
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

/** What is seen while a process runs that nobody serves. */
export async function seenWhileRuns<Input>(
  { temporal, db }: Seen,
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
      const broken = await checkProcesses(temporal, db, impatient);
      expect(broken).not.toEqual([]);
      return broken;
    });
  } finally {
    await handle.terminate();
  }
}

/** The one offence that is expected. */
export const one = (invariant: string, entity: string, detail: RegExp) => [
  { invariant, entity, detail: expect.stringMatching(detail) as string },
];
