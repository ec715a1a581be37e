import type { QueryInterface } from 'sequelize';

/**
 * The work of operators: processes that wait for a person, messages that go out, and what checks of the invariants
 * found.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    -- The operators' list is read in the order of waiting, also of one type, and by the entity of a process.
    CREATE TABLE parked_processes (
      workflow_id text PRIMARY KEY,
      type text NOT NULL,
      entity_id text NOT NULL,
      reason text NOT NULL,
      last_error text NOT NULL,
      since timestamptz NOT NULL,
      -- The run that made the entry.
      run_id text NOT NULL,
      -- The order that the process is about.
      order_id uuid,
      state text NOT NULL DEFAULT 'PARKED'
        CONSTRAINT parked_processes_state_check CHECK (state IN ('PARKED', 'RETRYING')),
      -- How often the step was tried.
      attempts integer NOT NULL DEFAULT 1 CONSTRAINT parked_processes_attempts_check CHECK (attempts > 0),
      retried_at timestamptz,
      note_id uuid,
      -- The person whose matter it is.
      user_id uuid,
      -- What it is about, as people name it.
      label text,
      CONSTRAINT parked_processes_retried_check CHECK ((state = 'RETRYING') = (retried_at IS NOT NULL))
    );
    CREATE INDEX parked_processes_order_idx ON parked_processes (order_id);
    CREATE INDEX parked_processes_user_idx ON parked_processes (user_id);
    CREATE INDEX parked_processes_waiting_idx ON parked_processes (since, workflow_id);
    CREATE INDEX parked_processes_type_idx ON parked_processes (type, since, workflow_id);
    CREATE INDEX parked_processes_entity_idx ON parked_processes (entity_id);

    CREATE TABLE outbox_messages (
      id uuid PRIMARY KEY,
      kind text NOT NULL CONSTRAINT outbox_messages_kind_check CHECK (kind IN ('MAIL', 'SMS')),
      reference text NOT NULL CONSTRAINT outbox_messages_reference_key UNIQUE,
      recipient text NOT NULL,
      status text NOT NULL CONSTRAINT outbox_messages_status_check CHECK (status IN ('WAITING', 'SENT', 'DEAD')),
      attempts integer NOT NULL DEFAULT 0,
      last_error text,
      due_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      sent_at timestamptz,
      -- Sealed, since it may carry a secret that opens an account.
      sealed_payload bytea,
      dead_at timestamptz,
      -- Why a message that was given up has no content.
      content_gone text,
      -- It was withdrawn after its first try, and is not tried again.
      withdrawn_at timestamptz,
      -- The content is forgotten once it is sent; a message that was given up keeps it for a while, so that an administrator
      -- can have it sent again.
      CONSTRAINT outbox_messages_payload_check CHECK (CASE status
        WHEN 'WAITING' THEN sealed_payload IS NOT NULL
        WHEN 'DEAD' THEN (sealed_payload IS NULL) = (content_gone IS NOT NULL)
        ELSE sealed_payload IS NULL END),
      CONSTRAINT outbox_messages_content_gone_check CHECK (content_gone IS NULL OR (status = 'DEAD'
        AND content_gone IN ('EXPIRED', 'ERASED', 'WITHDRAWN'))),
      CONSTRAINT outbox_messages_dead_check CHECK ((status = 'DEAD') = (dead_at IS NOT NULL)),
      CONSTRAINT outbox_messages_withdrawn_check
        CHECK (withdrawn_at IS NULL OR status <> 'DEAD' OR sealed_payload IS NULL)
    );
    CREATE INDEX outbox_messages_dead_idx ON outbox_messages (id) WHERE status = 'DEAD';
    CREATE INDEX outbox_messages_due_idx ON outbox_messages (due_at, id) WHERE status = 'WAITING';
    CREATE INDEX outbox_messages_over_idx ON outbox_messages (created_at, id) WHERE status <> 'WAITING';
    CREATE INDEX outbox_messages_given_up_idx ON outbox_messages (kind, id) WHERE status = 'DEAD';

    CREATE TABLE invariant_runs (
      checked_at timestamptz PRIMARY KEY,
      broken jsonb NOT NULL CONSTRAINT invariant_runs_broken_check CHECK (jsonb_typeof(broken) = 'array'),
      -- The check read everything, and not only recent changes.
      whole boolean NOT NULL DEFAULT false
    );

    CREATE TABLE job_runs (
      job text NOT NULL CONSTRAINT job_runs_job_check CHECK (length(job) BETWEEN 1 AND 100),
      -- The time for which the run was started, in ISO 8601.
      run text NOT NULL CONSTRAINT job_runs_run_check CHECK (length(run) BETWEEN 1 AND 40),
      -- Parts of the rows that are done at the same time, each with its own cursor.
      lane smallint NOT NULL CONSTRAINT job_runs_lane_check CHECK (lane >= 0),
      state text NOT NULL CONSTRAINT job_runs_state_check CHECK (state IN ('RUNNING', 'DONE')),
      -- Written in the transaction of each chunk: the key behind which the next one begins.
      cursor jsonb,
      done bigint NOT NULL DEFAULT 0 CONSTRAINT job_runs_done_check CHECK (done >= 0),
      words text,
      started_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      finished_at timestamptz,
      PRIMARY KEY (job, run, lane),
      CONSTRAINT job_runs_finished_check
        CHECK ((state = 'DONE') = (finished_at IS NOT NULL) AND (state = 'RUNNING' OR cursor IS NULL))
    );
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE job_runs, invariant_runs, outbox_messages, parked_processes;
  `);
}
