import { rowWindows } from '../../../db/invariants/driven/driven-row.reads';
import { processes } from '../../../db/program/processes';
import { rows } from '../../../db/sql/query';
import { drivenRows } from '../../../workers/checks/driven';
import type { Drives } from '../../../workflows/kit/process';
import { ownDatabase } from '../../support/servers/database';
import { statesOf } from '../column-states';
import { inEmptyCopy, writeRows } from './row-copies';

const own = ownDatabase();

const driving = processes.flatMap(({ type, id, drives }) => (drives ? [{ type, id, drives }] : []));

/** The columns that say since when a row is in a state. */
const timesOf = ({ since, settledSince = since, openWhileSet, settledOnceSet, startedWithin }: Drives) =>
  [since, settledSince, openWhileSet, settledOnceSet, startedWithin?.column]
    .flat()
    .filter((one) => one !== undefined);

describe.each(driving)('$type', ({ type, id, drives }) => {
  const { table, key, only = {}, entity, name, column } = drives;
  const { open = [], settled = [], endsWithin, openWhileSet, orBy = [] } = drives;

  test('its columns are those of the model', () => {
    const model = Object.values(own.db.sequelize.models).find(({ tableName }) => tableName === table);
    const columns = Object.values(model?.getAttributes() ?? {}).map(({ field }) => field);
    const named = [...Object.values(key), ...Object.keys(only), ...timesOf(drives), entity, name, column];
    expect(columns).toEqual(expect.arrayContaining(named.filter((one) => one !== undefined)));
  });

  test('its times are moments in the database', async () => {
    const found = await rows<{ name: string }>(
      own.db,
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND atttypid = 'timestamptz'::regtype`,
      [table],
    );
    expect(found.map((row) => row.name)).toEqual(expect.arrayContaining(timesOf(drives)));
  });

  test('its states are those of the column, and no row is both open and settled', async () => {
    const states = [...open, ...settled, ...(endsWithin?.states ?? [])];
    expect(new Set(states).size).toBe(states.length);
    expect(open.length > 0 || openWhileSet !== undefined).toBe(true);
    if (column === undefined) expect(states).toEqual([]);
    else expect(await statesOf(own.db, table, column)).toEqual(expect.arrayContaining(states));
    for (const [of, value] of Object.entries(only))
      expect(await statesOf(own.db, table, of)).toContain(value);
  });

  test('its open and its settled rows are found, each with its process', async () => {
    const driven = drivenRows.find((one) => one.type === type)!;
    await inEmptyCopy(own.owner, table, async (tx) => {
      const states = column === undefined ? [] : await statesOf(own.db, `public.${table}`, column);
      const written = await writeRows(tx, drives, states);
      for (const state of ['open', 'settled'] as const) {
        const found: string[] = [];
        for await (const window of rowWindows(tx, driven, { state, graceSeconds: 60, since: null }))
          found.push(...window.map(({ workflowIds }) => workflowIds[0]));
        const expected = written.filter((row) => row.state === state).map(({ input }) => id(input));
        expect(expected).not.toEqual([]);
        expect([state, found.sort()]).toEqual([state, expected.sort()]);
      }
    });
  });

  test('others that may drive its rows drive this table, and it has its rows for itself without them', () => {
    const others = driving.filter((other) => orBy.includes(other.type));
    expect(others.map((other) => other.drives.table)).toEqual(orBy.map(() => table));
    const alike = driving.filter((other) => other.type !== type && other.drives.table === table);
    const isSame = (other: { drives: Drives }) =>
      JSON.stringify(other.drives.only ?? {}) === JSON.stringify(only) &&
      (other.drives.open ?? []).some((state) => open.includes(state));
    expect(alike.filter(isSame)).toEqual([]);
  });
});
