import { rows, type Db } from '../../sql/query';

export interface UserNoteView {
  id: string;
  content: string;
  /** The administrator's id. */
  createdBy: string;
  createdAt: Date;
}

/** The newest notes about a user, newest first. */
export async function notesAbout(db: Db, userId: string, limit: number): Promise<UserNoteView[]> {
  return rows<UserNoteView>(
    db,
    `SELECT id, content, created_by, created_at
       FROM user_notes WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [userId, limit],
  );
}
