import { execute, type Db } from '../../sql/query';

export interface NewUserNote {
  id: string;
  userId: string;
  content: string;
  createdBy: string;
  at: Date;
}

/** Keeps a note about a user. */
export async function addUserNote(db: Db, note: NewUserNote): Promise<void> {
  await execute(
    db,
    `INSERT INTO user_notes (id, user_id, content, created_by, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [note.id, note.userId, note.content, note.createdBy, note.at],
  );
}
