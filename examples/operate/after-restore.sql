-- After pg_restore (or psql) into another PostgreSQL server, by the tables' owner, before anything records or reads.
-- Not after a physical copy (pg_basebackup, a snapshot of the disk, point in time): those bring the server's counter along.
--
-- The position of an event begins with the id of the transaction that wrote it, and another server counts its own from
-- the start: new events would come before the old ones, and readers would pass them over.
BEGIN;
UPDATE posturas_outbox SET xid = '0';
UPDATE posturas_sweep_runs SET event_mark = NULL;
COMMIT;
-- Then let every reader begin again at (0, 0): what is kept comes once more, which an idempotent reader does not mind.
