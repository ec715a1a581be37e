import { z } from 'zod';
import { rows, type Db } from '../../../../db/sql/query';

/** The answer of POST and PATCH. */
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

/** The answer of the list. */
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

/** The audit records of a category. */
export const auditOf = (db: Db, id: string) =>
  rows<{ action: string; actorId: string; previous: object | null; next: object; clientAddress: string }>(
    db,
    `SELECT action, actor_id, previous, next, client_address FROM audit_records
      WHERE entity_type = 'category' AND entity_id = $1 ORDER BY sequence`,
    [id],
  );
