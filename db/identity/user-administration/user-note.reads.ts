import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { UserNote } from './user-note.model';

/** A note about a user; `createdBy` is the administrator's id. */
export type NoteAboutUser = Omit<Attributes<UserNote>, 'userId'>;

/** The newest notes about a user, newest first. */
export const notesAbout = (db: Db, userId: string, limit: number): Promise<NoteAboutUser[]> =>
  table(db, UserNote).all(
    ['id', 'content', 'createdBy', 'createdAt'],
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit,
    },
  );
