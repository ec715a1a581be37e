/** SQL of the programme's version in force. */
const CURRENT = '(SELECT max(version) FROM partner_programmes WHERE valid_from <= now())';

/** SQL that joins the rank of this level, as it is called now, under this alias. */
export const joinRank = (alias: string, level: string): string =>
  `JOIN partner_ranks ${alias} ON ${alias}.level = ${level} AND ${alias}.programme_version = ${CURRENT}`;
