-- What to alert on, on PostgreSQL. Each query gives rows only when somebody should look; posturas_reader may ask them all.

-- name: overdue
-- Terms that ended more than 36 hours ago and had no consequence: no sweep ran, or it set the case aside.
SELECT municipality, count(*) AS terms, min(due) AS oldest
FROM posturas_deadlines
WHERE status = 'aberto' AND expires_epoch < extract(epoch FROM now() - interval '36 hours')
GROUP BY municipality;

-- name: no_sweep
-- Municipalities whose last sweep that ended is older than 36 hours.
SELECT municipality, max(finished_at::timestamptz) AS last_sweep
FROM posturas_sweep_runs
GROUP BY municipality
HAVING coalesce(max(finished_at::timestamptz) FILTER (WHERE status = 'concluida'), '-infinity')
       < now() - interval '36 hours';

-- name: failed
-- The cases that the last sweep set aside, with the reason (it names no person).
SELECT f.municipality, f.auto, f.code, f.message
FROM posturas_sweep_failures f
JOIN (SELECT municipality, max(run_id) AS run_id FROM posturas_sweep_runs GROUP BY municipality) last
  USING (municipality, run_id);

-- name: stuck
-- Sweeps that began more than six hours ago and neither ended nor were followed by another: killed, or still waiting.
SELECT r.municipality, r.run_id, r.started_at
FROM posturas_sweep_runs r
WHERE r.status = 'em_andamento' AND r.started_at::timestamptz < now() - interval '6 hours'
  AND NOT EXISTS (SELECT FROM posturas_sweep_runs n WHERE n.municipality = r.municipality AND n.run_id > r.run_id);

-- name: outbox
-- Events that pile up: nobody reads them, or nobody prunes (posturas db prune-events).
SELECT municipality, count(*) AS events
FROM posturas_outbox
GROUP BY municipality
HAVING count(*) > 200000;
