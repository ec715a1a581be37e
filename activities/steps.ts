import type { Db } from '../db/sql/query';

/** The least that a use case needs: the database. */
export interface DbDeps {
  db: Db;
}

/** The use case of each activity; it takes what it needs of its worker, and the command of the activity. */
export type UseCases<Activities, Deps> = {
  [Name in keyof Activities]: Activities[Name] extends (command: infer Command) => infer Result
    ? (deps: Deps, command: Command) => Result
    : never;
};

/** The activities that carry out these use cases with `deps`. */
export function steps<Activities extends object, Deps>(
  deps: Deps,
  cases: UseCases<Activities, Deps>,
): Activities {
  const useCases = Object.entries<(deps: Deps, command: unknown) => unknown>(cases);
  return Object.fromEntries(
    useCases.map(([name, useCase]) => [name, (command: unknown) => useCase(deps, command)]),
  ) as Activities;
}
