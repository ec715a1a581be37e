import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { UserNote } from './user-note.model';

/** Adds a note about a user. */
export const addUserNote = (db: Db, note: Attributes<UserNote>): Promise<void> =>
  table(db, UserNote).insert(note);
