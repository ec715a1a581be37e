import type { ReferenceKind } from '../../../workflows/ledger/reference.rules';
import { postSelected } from '../../ledger/batch.transitions';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { HELD_BY, SALE_OF } from './held-back';

/** The place of a commission in the order of maturation; `maturesAt` with microseconds, as PostgreSQL writes it. */
export interface MaturationPosition {
  maturesAt: string;
  id: string;
}

/** A part of what is due: behind `after`, up to `upTo` (null: to the end), of one half of the partners. */
export interface DuePart {
  at: string;
  after: MaturationPosition | null;
  upTo: MaturationPosition | null;
  half: 0 | 1;
}

/**
 * PENDING commissions of half $4 that are due at $1 and behind the position ($2, $3); what takes back a part of one comes with it.
 * The commissions of a partner are in one half, so that two transactions at once, one for each, have no balance in common.
 */
const DUE = `
  FROM partner_commissions c
 WHERE c.status = 'PENDING' AND c.matures_at <= $1 AND hashtext(c.partner_id::text) & 1 = $4
   AND (c.matures_at, c.id) > (coalesce($2::timestamptz, '-infinity'),
     coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
   AND (c.reversal_of IS NULL
     OR NOT EXISTS (SELECT 1 FROM partner_commissions o WHERE o.id = c.reversal_of AND o.status = 'PENDING'))`;

/** The position of the last of the next `limit` commissions that are due; null if there are fewer. */
export const endOfDueBatch = (
  db: Db,
  { at, after, half, limit }: Omit<DuePart, 'upTo'> & { limit: number },
): Promise<MaturationPosition | null> =>
  firstRow(
    db,
    `SELECT matures_at::text AS matures_at, id FROM (
       SELECT c.matures_at, c.id ${DUE} ORDER BY c.matures_at, c.id OFFSET $5 LIMIT 1
     ) last`,
    [at, after?.maturesAt ?? null, after?.id ?? null, half, limit - 1],
  );

/**
 * Chooses the PENDING commissions of a part into a temporary table of the transaction, those included that stay, and locks
 * them; waits for other changes of them.
 */
export async function chooseDueCommissions(tx: Tx, { at, after, upTo, half }: DuePart): Promise<void> {
  await execute(tx, 'CREATE TEMPORARY TABLE due_commissions (id uuid) ON COMMIT DROP');
  await execute(
    tx,
    `INSERT INTO due_commissions (id) SELECT c.id ${DUE}
       AND (c.matures_at, c.id) <= (coalesce($5::timestamptz, 'infinity'),
         coalesce($6::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
    [
      ...[at, after?.maturesAt ?? null, after?.id ?? null, half],
      ...[upTo?.maturesAt ?? null, upTo?.id ?? null],
    ],
  );
  await firstRow(
    tx,
    `SELECT count(*) FROM (
       SELECT 1 FROM partner_commissions WHERE id IN (SELECT id FROM due_commissions) ORDER BY id FOR NO KEY UPDATE
     ) locked`,
  );
}

const MATURATION: ReferenceKind = 'commission-maturation';

/**
 * Approves those of the chosen commissions that are still PENDING and due and that nothing holds, each with what takes back
 * parts of it, and books them from `partner_pending` to `partner_available`. Returns their number. A statement of its own: it
 * sees what was written while the rows were waited for.
 */
export const matureChosenCommissions = (tx: Tx, at: string): Promise<number> =>
  postSelected(
    tx,
    {
      with: `chosen AS (
        SELECT d.id FROM due_commissions d JOIN partner_commissions o USING (id)
         WHERE o.status = 'PENDING' AND o.matures_at <= $1::timestamptz
        UNION ALL
        SELECT r.id FROM due_commissions d JOIN partner_commissions o USING (id)
          JOIN partner_commissions r ON r.reversal_of = o.id AND r.status = 'PENDING'
         WHERE o.status = 'PENDING' AND o.matures_at <= $1::timestamptz
      ), free AS (
        SELECT DISTINCT c.id, p.user_id
          FROM chosen JOIN partner_commissions c USING (id) JOIN partners p ON p.id = c.partner_id ${SALE_OF}
         WHERE ${HELD_BY} IS NULL
      ), matured AS (
        UPDATE partner_commissions c SET status = 'APPROVED', processed_at = $1::timestamptz
          FROM free WHERE c.id = free.id AND c.status = 'PENDING'
        RETURNING c.id, free.user_id, c.net_minor, c.currency
      )`,
      // What takes back a part may follow a commission that is paid out already.
      line: `SELECT '${MATURATION}' AS kind, id::text AS subject_id, '' AS part, net_minor < 0 AS clawback, l.account,
               user_id, currency, l.amount_minor
          FROM matured CROSS JOIN LATERAL (VALUES ('partner_pending', -net_minor), ('partner_available', net_minor))
            AS l (account, amount_minor)`,
      params: [at],
    },
    new Date(at),
  );
