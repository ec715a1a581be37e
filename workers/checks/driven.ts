import { validate } from 'uuid';
import type { ProcessDefinition } from '../../workflows/kit/process';

/** A row and the processes that may drive it. */
export interface DrivenRow {
  /** The id that its process carries as its search attribute. */
  entity: string;
  detail: string;
  /** One of these processes must run while the row is open; the first is the row's own. */
  workflowIds: readonly [string, ...string[]];
}

/** Rows in a state, as SQL: a condition, a description of each row, and the column with the start of the state. */
interface RowState {
  readonly where: string;
  readonly detail: string;
  readonly since: string;
}

/** The entity that a process carries, as SQL over its row. */
interface EntityOfRow {
  readonly sql: string;
  readonly type: 'uuid' | 'text';
}

/** One type of process and the rows that it drives. */
export interface Driven {
  readonly type: string;
  readonly table: string;
  /** The columns from which the process's input is made. */
  readonly columns: string;
  /** By default the row's id. */
  readonly entity: EntityOfRow;
  readonly toRow: (found: Record<string, string>) => DrivenRow;
  /** Rows that need the process. */
  readonly open: RowState;
  /** Rows for which the process has nothing left to do. */
  readonly settled: RowState;
  /** True if the row exists before the process and is settled until it acts; a young process is then no violation. */
  readonly rowIsFirst: boolean;
  /** True if the process may wait for long before it writes its row. */
  readonly rowMayWait: boolean;
}

type Rows<Option extends keyof Driven> = Omit<Driven, 'type' | 'toRow' | Option> &
  Partial<Pick<Driven, Option>>;

const BY_ID: EntityOfRow = { sql: 'id', type: 'uuid' };

/** Makes an entry of the table; `orBy` are other processes that may drive an open row. */
export function driven<Input extends object>(
  process: ProcessDefinition<Input>,
  {
    entity = BY_ID,
    rowIsFirst = false,
    rowMayWait = false,
    ...rows
  }: Rows<'entity' | 'rowIsFirst' | 'rowMayWait'>,
  inputOf: (found: Record<string, string>) => Input,
  orBy: readonly ProcessDefinition<Input>[] = [],
): Driven {
  return {
    ...rows,
    type: process.type,
    ...{ entity, rowIsFirst, rowMayWait },
    toRow(found) {
      const input = inputOf(found);
      return {
        entity: process.entityId(input),
        detail: found['detail'] ?? '',
        workflowIds: [process.id(input), ...orBy.map(({ id }) => id(input))],
      };
    },
  };
}

/** The entities that can be of such rows: what other processes carry may be of another type. */
export const entitiesOf = ({ entity }: Pick<Driven, 'entity'>, entities: readonly string[]): string[] =>
  entity.type === 'uuid' ? entities.filter((id) => validate(id)) : [...entities];
