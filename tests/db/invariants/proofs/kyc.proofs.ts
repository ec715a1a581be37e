import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../../db/sql/query';
import { change, find, type Proof } from '../proof';

/** The buyer of an order, whose level was approved. */
const buyerOf = (tx: Tx, orderId: string): Promise<string> =>
  find(tx, `SELECT user_id AS found FROM orders WHERE id = $1`, [orderId]);
const verificationOf = (tx: Tx, orderId: string): Promise<string> =>
  find(
    tx,
    `SELECT v.id AS found FROM kyc_verifications v JOIN orders o ON o.user_id = v.user_id WHERE o.id = $1`,
    [orderId],
  );

export const kycProofs: readonly Proof[] = [
  ...[
    { how: 'a level that nobody approved', what: `kyc_level = 'ENHANCED'` },
    { how: 'an approval without effect', what: `kyc_level = 'BASIC'` },
  ].map(({ how, what }) => ({
    invariant: 'kyc.levels-are-approved',
    how,
    async breaks(...[tx, { orders }]: Parameters<Proof['breaks']>) {
      const user = await buyerOf(tx, orders.paid);
      await change(tx, `UPDATE users SET ${what} WHERE id = $1`, [user]);
      return user;
    },
  })),
  {
    invariant: 'kyc.levels-are-approved',
    how: 'a level without any verification',
    async breaks(tx, { orders }) {
      const user = await buyerOf(tx, orders.paid);
      const kycId = await verificationOf(tx, orders.paid);
      await change(tx, `DELETE FROM kyc_history WHERE kyc_id = $1`, [kycId]);
      await change(tx, `DELETE FROM kyc_verifications WHERE id = $1`, [kycId]);
      await change(tx, `UPDATE users SET kyc_status = 'NOT_STARTED' WHERE id = $1`, [user]);
      return user;
    },
  },
  {
    invariant: 'kyc.levels-are-approved',
    how: 'an approval whose time is over for longer than a day',
    async breaks(tx, { orders }) {
      const [ada, bob] = [await buyerOf(tx, orders.paid), await buyerOf(tx, orders.unpaid)];
      for (const [user, ago] of [
        [ada, '27 hours'],
        [bob, '25 hours'],
      ])
        await change(
          tx,
          `UPDATE kyc_verifications SET expires_at = now() - $2::interval WHERE user_id = $1`,
          [user, ago],
        );
      return ada;
    },
  },
  {
    invariant: 'kyc.status-is-that-of-the-latest',
    how: 'a user with another status than their verification',
    async breaks(tx, { orders }) {
      const user = await buyerOf(tx, orders.paid);
      await change(tx, `UPDATE users SET kyc_status = 'NOT_STARTED' WHERE id = $1`, [user]);
      return user;
    },
  },
  {
    invariant: 'kyc.status-is-that-of-the-latest',
    how: 'an approval in force that an upgrade which came to nothing hides',
    async breaks(tx, { orders }) {
      const user = await buyerOf(tx, orders.paid);
      const kycId = randomUUID();
      await change(
        tx,
        `INSERT INTO kyc_verifications (id, user_id, status, requested_level, ended_at, created_at, updated_at)
         VALUES ($1, $2, 'WITHDRAWN', 'ENHANCED', now(), now() + interval '1 minute', now())`,
        [kycId, user],
      );
      await change(
        tx,
        `INSERT INTO kyc_history (id, kyc_id, action, at) VALUES (gen_random_uuid(), $1, 'STARTED', now()),
           (gen_random_uuid(), $1, 'WITHDRAWN', now() + interval '1 second')`,
        [kycId],
      );
      await change(tx, `UPDATE users SET kyc_status = 'NOT_STARTED' WHERE id = $1`, [user]);
      return user;
    },
  },
  {
    invariant: 'kyc.decisions-are-recorded',
    how: 'a decision that is in no audit trail',
    async breaks(tx, { orders }) {
      const [kycId, reviewer] = [await verificationOf(tx, orders.paid), await buyerOf(tx, orders.unpaid)];
      await change(tx, `UPDATE kyc_verifications SET decided_by = $2 WHERE id = $1`, [kycId, reviewer]);
      await change(tx, `UPDATE kyc_history SET performed_by = $2 WHERE kyc_id = $1 AND action = 'APPROVED'`, [
        kycId,
        reviewer,
      ]);
      return kycId;
    },
  },
  {
    invariant: 'kyc.decisions-are-recorded',
    how: 'a decision under the name of somebody else',
    async breaks(tx, { orders }) {
      const [kycId, reviewer] = [await verificationOf(tx, orders.paid), await buyerOf(tx, orders.unpaid)];
      await change(tx, `UPDATE kyc_history SET performed_by = $2 WHERE kyc_id = $1 AND action = 'APPROVED'`, [
        kycId,
        reviewer,
      ]);
      return kycId;
    },
  },
  {
    invariant: 'kyc.approved-documents-are-decided',
    how: 'a document that nobody looked at',
    async breaks(tx, { orders }) {
      const id = randomUUID();
      await change(
        tx,
        `INSERT INTO kyc_documents (id, user_id, type, content_type, file_content_type, name_sealed, bytes, file_blob, data_key,
           content_mac, content_key, uploaded_at)
         VALUES ($1, $2, 'PASSPORT', 'image/png', 'image/png', '', 1, $1::uuid::text, '', '', '', now())`,
        [id, await buyerOf(tx, orders.paid)],
      );
      await change(tx, `INSERT INTO kyc_verification_documents VALUES ($1, $2)`, [
        await verificationOf(tx, orders.paid),
        id,
      ]);
      return id;
    },
  },
  {
    invariant: 'kyc.erased-accounts-hold-nothing',
    how: 'an account that was erased without its verification',
    async breaks(tx, { orders }) {
      const ada = await buyerOf(tx, orders.paid);
      await change(tx, 'UPDATE users SET erased_at = now(), password_hash = NULL WHERE id = $1', [ada]);
      return ada;
    },
  },
  ...['CLAIMED', 'SUPERSEDED'].map((action) => ({
    invariant: 'kyc.follow-their-history',
    how: action === 'CLAIMED' ? 'a move that the table does not have' : 'a move that the row did not make',
    async breaks(...[tx, { orders }]: Parameters<Proof['breaks']>) {
      const kycId = await verificationOf(tx, orders.paid);
      await change(tx, `INSERT INTO kyc_history (id, kyc_id, action, at) VALUES ($1, $2, $3, now())`, [
        randomUUID(),
        kycId,
        action,
      ]);
      return kycId;
    },
  })),
];
