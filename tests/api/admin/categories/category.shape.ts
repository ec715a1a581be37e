import { z } from 'zod';
import { rows, type Db } from '../../../../db/sql/query';

/** What POST and PATCH answer. */
export const SetCategory = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  parentId: z.uuid().nullable(),
  position: z.int(),
  isActive: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

/** What the list answers. */
export const AdminCategory = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  parentId: z.uuid().nullable(),
  position: z.int(),
  isActive: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  level: z.int(),
  productCount: z.int(),
  ownProductCount: z.int(),
  get children() {
    return z.array(AdminCategory);
  },
});

/** What the audit trail says of a category. */
export const auditOf = (db: Db, id: string) =>
  rows<{ action: string; actorId: string; previous: object | null; next: object; clientAddress: string }>(
    db,
    `SELECT action, actor_id, previous, next, client_address FROM audit_records
      WHERE entity_type = 'category' AND entity_id = $1 ORDER BY sequence`,
    [id],
  );
