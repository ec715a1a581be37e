import type { QueryInterface } from 'sequelize';

/**
 * An entry of the operators' list knows the run that made it, and the person whom its report or event names. A worker of the release before, which runs while this one
 * is rolled out, parks without a state: its entry waits for a person again, as one that this release writes.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE parked_processes ADD COLUMN run_id text, ADD COLUMN user_id uuid;
    CREATE INDEX parked_processes_user_idx ON parked_processes (user_id);
    UPDATE parked_processes SET state = 'PARKED', retried_at = NULL, attempts = attempts + 1
      WHERE state = 'RETRYING' AND since > retried_at;

    CREATE FUNCTION park_again() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.state := 'PARKED';
      NEW.retried_at := NULL;
      NEW.attempts := CASE WHEN NEW.reason = OLD.reason THEN OLD.attempts + 1 ELSE 1 END;
      NEW.note_id := CASE WHEN NEW.reason = OLD.reason THEN OLD.note_id END;
      RETURN NEW;
    END $$;
    CREATE TRIGGER parked_processes_park_again BEFORE UPDATE OF since ON parked_processes
      FOR EACH ROW WHEN (NEW.state = 'RETRYING' AND NEW.since > NEW.retried_at) EXECUTE FUNCTION park_again();
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TRIGGER parked_processes_park_again ON parked_processes;
    DROP FUNCTION park_again();
    ALTER TABLE parked_processes DROP COLUMN run_id, DROP COLUMN user_id;
  `);
}
