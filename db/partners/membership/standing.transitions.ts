import type { Attributes } from 'sequelize';
import { execute, rows, type Tx } from '../../sql/query';
import type { PartnerMonth } from './partner-month.model';

/** The figures that an event adds to the standing of a partner; below zero where a sale is taken back. */
export interface StandingChange {
  partnerId: string;
  personalPoints: number;
  groupPoints: number;
  personalVolumeMinor: number;
  groupVolumeMinor: number;
  earnedMinor: number;
}

/** The change of a partner who only earned, or lost, commissions. */
export const earnedBy = (partnerId: string, earnedMinor: number): StandingChange => ({
  ...{ partnerId, earnedMinor },
  ...{ personalPoints: 0, groupPoints: 0, personalVolumeMinor: 0, groupVolumeMinor: 0 },
});

/** Locks standings in the order of their ids, as everything that changes several of them does. */
export async function lockStandings(tx: Tx, partnerIds: readonly string[]): Promise<void> {
  await rows(
    tx,
    `SELECT partner_id FROM partner_standings WHERE partner_id = ANY($1::uuid[]) ORDER BY partner_id FOR UPDATE`,
    [partnerIds],
  );
}

/** Adds to standings, which are locked in the order of their ids first. One row of changes a partner. */
export async function changeStandings(tx: Tx, changes: readonly StandingChange[]): Promise<void> {
  if (changes.length === 0) return;
  const columns = [
    'personalPoints',
    'groupPoints',
    'personalVolumeMinor',
    'groupVolumeMinor',
    'earnedMinor',
  ] as const;
  const ids = changes.map(({ partnerId }) => partnerId);
  await execute(
    tx,
    `WITH locked AS MATERIALIZED (
       SELECT partner_id FROM partner_standings WHERE partner_id = ANY($1::uuid[]) ORDER BY partner_id FOR UPDATE)
     UPDATE partner_standings s SET personal_points = s.personal_points + c.personal_points,
       group_points = s.group_points + c.group_points,
       personal_volume_minor = s.personal_volume_minor + c.personal_volume_minor,
       group_volume_minor = s.group_volume_minor + c.group_volume_minor,
       earned_minor = s.earned_minor + c.earned_minor
     FROM locked JOIN unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
       AS c (partner_id, personal_points, group_points, personal_volume_minor, group_volume_minor, earned_minor)
       USING (partner_id)
     WHERE s.partner_id = locked.partner_id`,
    [ids, ...columns.map((column) => changes.map((change) => change[column]))],
  );
}

/** A volume, or a partner, so many levels below each of these partners: the first is one level above it. */
export interface LevelChange {
  partnerId: string;
  level: number;
  partners: number;
  volumeMinor: number;
}

/** Adds to levels, in the order of partners' ids. One row of changes a partner and level. */
export async function changeLevels(tx: Tx, changes: readonly LevelChange[]): Promise<void> {
  if (changes.length === 0) return;
  await execute(
    tx,
    `INSERT INTO partner_levels AS l (partner_id, level, partners, volume_minor)
     SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::int[], $4::bigint[]) AS c (partner_id, level, partners, volume)
     ORDER BY partner_id, level
     ON CONFLICT (partner_id, level) DO UPDATE
       SET partners = l.partners + excluded.partners, volume_minor = l.volume_minor + excluded.volume_minor`,
    [
      changes.map(({ partnerId }) => partnerId),
      changes.map(({ level }) => level),
      changes.map(({ partners }) => partners),
      changes.map(({ volumeMinor }) => volumeMinor),
    ],
  );
}

/** The figures that an event adds to a partner's month. */
export type MonthChange = Omit<Attributes<PartnerMonth>, 'month'>;

/** Adds to the month (UTC) of a time, in the order of partners' ids. */
export async function changeMonths(tx: Tx, changes: readonly MonthChange[], at: Date): Promise<void> {
  if (changes.length === 0) return;
  await execute(
    tx,
    `INSERT INTO partner_months AS m (partner_id, month, personal_points, group_points, personal_volume_minor,
       group_volume_minor)
     SELECT c.partner_id, date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date, c.personal_points,
       c.group_points, c.personal_volume_minor, c.group_volume_minor
     FROM unnest($1::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
       AS c (partner_id, personal_points, group_points, personal_volume_minor, group_volume_minor)
     ORDER BY c.partner_id
     ON CONFLICT (partner_id, month) DO UPDATE SET personal_points = m.personal_points + excluded.personal_points,
       group_points = m.group_points + excluded.group_points,
       personal_volume_minor = m.personal_volume_minor + excluded.personal_volume_minor,
       group_volume_minor = m.group_volume_minor + excluded.group_volume_minor`,
    [
      changes.map(({ partnerId }) => partnerId),
      at,
      ...(['personalPoints', 'groupPoints', 'personalVolumeMinor', 'groupVolumeMinor'] as const).map(
        (column) => changes.map((change) => change[column]),
      ),
    ],
  );
}

/** Of these partners, those that are not counted in the networks of those above. They are locked. */
export async function uncountedOf(tx: Tx, partnerIds: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ partnerId: string }>(
    tx,
    `SELECT partner_id FROM partner_standings WHERE partner_id = ANY($1::uuid[]) AND counted_at IS NULL`,
    [partnerIds],
  );
  return new Set(found.map(({ partnerId }) => partnerId));
}

/** The gain of a partner's network: partners, and the levels that it then has at least. */
export interface NetworkGain {
  partnerId: string;
  size: number;
  depth: number;
}

/** Counts partners in networks, and marks those that were counted. The standings are locked. */
export async function countInNetworks(
  tx: Tx,
  gains: readonly NetworkGain[],
  counted: readonly string[],
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `UPDATE partner_standings s SET network_size = s.network_size + g.size,
       network_depth = greatest(s.network_depth, g.depth),
       counted_at = CASE WHEN s.partner_id = ANY($4::uuid[]) THEN $5 ELSE s.counted_at END
     FROM unnest($1::uuid[], $2::int[], $3::smallint[]) AS g (partner_id, size, depth)
     WHERE s.partner_id = g.partner_id`,
    [
      gains.map(({ partnerId }) => partnerId),
      gains.map(({ size }) => size),
      gains.map(({ depth }) => depth),
      counted,
      at,
    ],
  );
}
