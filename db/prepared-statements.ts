import type { Sequelize } from 'sequelize-typescript';

/**
 * How many different statements one process has prepared. There are fewer in the code, but those of the catalogue's
 * filters are put together; the rest of those are planned each time, so that nobody fills the server's memory by asking
 * in ever new ways.
 */
const MOST_STATEMENTS = 400;

type Done = (error: Error | undefined, result: unknown) => void;

/** As much of a connection of `pg` as Sequelize uses. */
interface Connection {
  query: (...given: [string | { name: string; text: string; values: unknown[] }, ...unknown[]]) => unknown;
}

/**
 * Has each connection of the pool keep the statements that it was given with values: the server then parses and plans
 * them once and not every time, which for the catalogue's is most of their cost. PostgreSQL itself still plans anew
 * where the values matter to the plan. A pooler in front of the server must know prepared statements.
 */
export function prepareStatements(sequelize: Sequelize): void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_STATEMENTS) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
  sequelize.addHook('afterConnect', (given: unknown) => {
    const connection = given as Connection; // Sequelize has no name for it.
    const query = connection.query.bind(connection);
    connection.query = (text, ...rest) => {
      const [values, done] = rest as [unknown[] | Done, Done | undefined];
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined;
      return name === undefined ? query(text, ...rest) : query({ name, text: String(text), values: values as unknown[] }, done);
    };
  });
}
