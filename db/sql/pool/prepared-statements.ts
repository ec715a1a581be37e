import type { Sequelize } from 'sequelize-typescript';

/**
 * How many different statements one process prepares. The code holds fewer, but those for the catalogue's filters are
 * put together from parts; past this number new ones are planned each time, so that nobody can fill the server's memory
 * by asking in ever new ways.
 */
const MOST_STATEMENTS = 400;

/** As much of a connection of `pg` as Sequelize uses: text and callback, or text, values and callback. */
interface Connection {
  query: (statement: string | NamedStatement, ...rest: unknown[]) => unknown;
}

interface NamedStatement {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * Has every connection of the pool keep the statements that come with values: the server parses and plans them once and
 * not every time, which is most of what the catalogue's cost. Where the values matter to a plan, PostgreSQL still plans
 * anew by itself. A pooler in front of the server has to know prepared statements.
 */
export function prepareStatements(sequelize: Sequelize): void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < MOST_STATEMENTS) names.set(text, `statement_${names.size}`);
    return names.get(text);
  };
  sequelize.addHook('afterConnect', (given: unknown) => {
    const connection = given as Connection; // Sequelize has no type for it.
    const query = connection.query.bind(connection);
    connection.query = (statement, ...rest) => {
      const [values, ...done] = rest;
      if (typeof statement !== 'string' || !Array.isArray(values)) return query(statement, ...rest);
      const name = nameOf(statement);
      return name === undefined
        ? query(statement, ...rest)
        : query({ name, text: statement, values }, ...done);
    };
  });
}
