import {
  countedLinks,
  countLinks,
  lockForLinks,
  type CountedLink,
} from '../../../db/partners/link/partner-link.reads';
import { insertLink } from '../../../db/partners/link/partner-link.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal, refusalOf } from '../../../workflows/errors';
import { newLinkCode } from './link-code';

interface NewLink {
  id: string;
  partnerId: string;
  name: string;
  campaign: string | null;
  landingPath: string;
}

/** Codes that are tried; two partners meet at one in a million millions. */
const TRIES = 5;

/**
 * Adds a link of an active partner; an id that is there already is answered as it is. Refused with FORBIDDEN
 * (PARTNER_NOT_ACTIVE), and with TOO_MANY_LINKS beyond `most`.
 */
export function createLink(db: Db, link: NewLink, most: number): Promise<CountedLink> {
  return inTransaction(db, async (tx) => {
    const partner = await lockForLinks(tx, link.partnerId);
    const [already] = await countedLinks(tx, link.partnerId, link.id);
    if (already) return already;
    if (partner?.status !== 'ACTIVE')
      throw refusalOf({
        code: 'FORBIDDEN',
        message: 'Only an active partner can add links.',
        reason: 'PARTNER_NOT_ACTIVE',
      });
    if ((await countLinks(tx, link.partnerId)) >= most)
      throw businessRefusal('TOO_MANY_LINKS', `A partner can have at most ${most} links.`);
    const createdAt = new Date();
    for (let tried = 0; tried < TRIES; tried++)
      if (await insertLink(tx, { ...link, code: newLinkCode(), createdAt })) break;
    const [created] = await countedLinks(tx, link.partnerId, link.id);
    if (!created) throw new Error(`The link ${link.id} found no free code.`);
    return created;
  });
}
