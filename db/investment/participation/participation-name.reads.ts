import { firstRow, type Db } from '../../sql/query';

/** A participation as mails name it. Throws when there is none. */
export async function participationName(
  db: Db,
  id: string,
): Promise<{ number: string; strategyName: string }> {
  const named = await firstRow<{ number: string; strategyName: string }>(
    db,
    `SELECT p.number, s.name AS strategy_name FROM participations p
       JOIN investment_strategies s ON s.id = p.strategy_id WHERE p.id = $1`,
    [id],
  );
  if (!named) throw new Error(`There is no participation ${id}.`);
  return named;
}
