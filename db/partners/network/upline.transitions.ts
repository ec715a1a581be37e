import { rows, type Tx } from '../../sql/query';
import { uplinesFrom, type PlacedUpline } from './upline.reads';

/**
 * A partner and all above, from it to the top, as they are once their standings are locked, in the order of partners' ids. An
 * erasure locks the standing of its partner too: so it sees what they earn here, or they have ended here.
 */
export async function lockUplines(tx: Tx, partnerId: string): Promise<PlacedUpline[]> {
  await rows(
    tx,
    `SELECT s.partner_id FROM partners b
     JOIN partners a ON a.number = ANY (string_to_array(ltree2text(b.path), '.')::bigint[])
     JOIN partner_standings s ON s.partner_id = a.id
     WHERE b.id = $1 ORDER BY s.partner_id FOR UPDATE OF s`,
    [partnerId],
  );
  return uplinesFrom(tx, partnerId);
}
