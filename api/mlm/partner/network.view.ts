import { z } from 'zod';
import {
  DEEPEST_LEVEL,
  type NetworkLevel,
  type NetworkMember,
} from '../../../db/partners/network/network.reads';
import { MOST_COUNTED } from '../../../db/partners/most-counted';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { paging } from '../../http/answer/paging';
import { digits } from '../../http/request/fields';
import { shortName } from '../short-name';
import { PartnerStatusField, RankName } from './partner.view';

/** The end of the descriptions of both lists. */
export const NETWORK_BOUND = `Pages end at ${MOST_COUNTED} partners; \`stats\` counts all of them.`;

/** The query of a network: the levels to list, and the page of the list. */
export const networkQuery = {
  ...paging(100),
  depth: digits({ min: 1, max: DEEPEST_LEVEL })
    .default(DEEPEST_LEVEL)
    .meta({ description: 'The number of levels below the partner to list.', example: '3' }),
};

/** Chosen: partners see the first name and the initial of those below, and no e-mail address. */
export const OwnNetworkNode = z
  .object({
    id: z.uuid().describe('Identifies the partner; a UUID.'),
    name: z.string().meta({ example: 'Anna B.' }),
    referralCode: z.string(),
    level: z.int().describe('The distance from the partner at the top, from 1.'),
    status: PartnerStatusField,
    rank: RankName.nullable().describe('The rank in the partner programme.'),
    directReferrals: z.int().describe('Partners directly below.'),
    totalVolume: z.number().describe('What own customers of the partner have bought, less refunds.'),
    joinedAt: z.iso.datetime().describe('When the partner joined.'),
  })
  .meta({ id: 'OwnNetworkNode' });

export const NetworkNode = OwnNetworkNode.extend({ email: z.string() }).meta({ id: 'NetworkNode' });

const Level = z
  .object({
    level: z.int().describe('The distance from the partner at the top, from 1.'),
    count: z.int().describe('Partners of that level.'),
    volume: z.number().describe('What customers of that level have bought.'),
  })
  .meta({ id: 'NetworkLevel' });

export const NetworkStats = z
  .object({
    totalSize: z.int().meta({ description: 'All partners below, of every level.' }),
    byLevel: z.array(Level).meta({ description: 'Levels without partners are left out.' }),
  })
  .meta({ id: 'NetworkStats' });

export const OwnNetwork = z
  .object({
    partnerId: z.uuid().describe('The partner at the top.'),
    partnerName: z.string().describe('The name of the partner at the top.'),
    network: z.array(OwnNetworkNode).describe('The partners of this page.'),
    stats: NetworkStats.describe('Figures of the whole network.'),
  })
  .meta({ id: 'OwnNetwork' });

export const PartnerNetwork = OwnNetwork.extend({
  network: z.array(NetworkNode).describe('The partners of this page.'),
}).meta({
  id: 'PartnerNetwork',
});

const usd = (minor: number): number => figureInMajor(minor, PLATFORM_CURRENCY);

const nodeView = (row: NetworkMember, name: string) => ({
  id: row.id,
  name,
  referralCode: row.referralCode,
  level: row.level,
  status: row.status,
  rank: { name: row.rankName, code: row.rankCode },
  directReferrals: row.directReferrals,
  totalVolume: usd(row.personalVolumeMinor),
  joinedAt: row.joinedAt.toISOString(),
});

/** The view of a partner below for administrators. */
export const networkNodeView = (row: NetworkMember): z.input<typeof NetworkNode> => ({
  ...nodeView(row, `${row.firstName} ${row.lastName}`),
  email: row.email,
});

/** The view of a partner below for the partner above. */
export const ownNetworkNodeView = (row: NetworkMember): z.input<typeof OwnNetworkNode> =>
  nodeView(row, shortName(row));

export const levelsView = (levels: readonly NetworkLevel[]): z.input<typeof Level>[] =>
  levels.map(({ level, partners, volumeMinor }) => ({ level, count: partners, volume: usd(volumeMinor) }));
