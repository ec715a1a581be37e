import { namedPartner, type NamedPartner } from '../../db/partners/membership/partner-name.reads';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';

/** The refusal for callers who have not joined the partner programme. */
export const notAPartner = () => refusal('NOT_A_PARTNER');

/** The caller's partner, whatever its status. Refused: NOT_A_PARTNER. */
export async function ownPartner({
  db,
  caller,
}: Pick<Context<'user'>, 'db' | 'caller'>): Promise<NamedPartner> {
  const partner = await namedPartner(db, { userId: caller.id });
  if (!partner) throw notAPartner();
  return partner;
}

/** The caller's partner, unless its membership has ended: its network is no longer shown to it. Refused: NOT_A_PARTNER. */
export async function ownStandingPartner(
  context: Pick<Context<'user'>, 'db' | 'caller'>,
): Promise<NamedPartner> {
  const partner = await ownPartner(context);
  if (partner.status === 'TERMINATED') throw notAPartner();
  return partner;
}
