import { rows, type Db } from '../../sql/query';

/** The names and addresses of users, by id; erased accounts are left out. */
export async function mailedPartners(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, { firstName: string; email: string }>> {
  const found = await rows<{ id: string; firstName: string; email: string }>(
    db,
    'SELECT id, first_name, email FROM users WHERE id = ANY($1::uuid[]) AND erased_at IS NULL',
    [userIds],
  );
  return new Map(found.map(({ id, ...person }) => [id, person]));
}
