import type { DrivenRows } from '../../db/invariants/driven/driven-row.reads';
import { processes } from '../../db/program/processes';
import type { Drives, ProcessDefinition } from '../../workflows/kit/process';

/** A row and the processes that may drive it. */
export interface DrivenRow {
  /** The id that its process carries as its search attribute. */
  entity: string;
  detail: string;
  /** One of these processes must run while the row is open; the first is the row's own. */
  workflowIds: readonly [string, ...string[]];
}

/** One type of process and the rows that it drives. */
export interface Driven extends DrivenRows<DrivenRow> {
  readonly type: string;
}

function driven(process: ProcessDefinition<never>, drives: Drives): Driven {
  const others = processes.filter(({ type }) => drives.orBy?.includes(type));
  return {
    type: process.type,
    drives,
    toRow(found, detail) {
      const input = found as never;
      return {
        entity: process.entityId(input),
        detail,
        workflowIds: [process.id(input), ...others.map(({ id }) => id(input))],
      };
    },
  };
}

/** Every process that drives rows. */
export const drivenRows: readonly Driven[] = processes.flatMap((process) =>
  process.drives ? [driven(process, process.drives)] : [],
);
