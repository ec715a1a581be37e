import type { Sequelize } from 'sequelize-typescript';

/**
 * Limit of statements that one process prepares. The code has fewer, but the catalogue's filters combine parts; past
 * the limit statements are planned each time, so that clients cannot fill the server's memory with new combinations.
 */
const MOST_STATEMENTS = 400;

/** The part of a `pg` connection that Sequelize uses: text and callback, or text, values and callback. */
interface Connection {
  query: (statement: string | NamedStatement, ...rest: unknown[]) => unknown;
}

interface NamedStatement {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * Makes every connection of the pool prepare the statements that have values: the server parses and plans them once,
 * which was most of the cost of catalogue reads. PostgreSQL still plans again where the values matter to a plan. A
 * pooler in front of the server has to support prepared statements.
 */
export function prepareStatements(sequelize: Sequelize): void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < MOST_STATEMENTS) names.set(text, `statement_${names.size}`);
    return names.get(text);
  };
  sequelize.addHook('afterConnect', (untyped: unknown) => {
    const connection = untyped as Connection; // Sequelize has no type for it.
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
