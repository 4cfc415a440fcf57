-- After `posturas db upgrade`, as posturas_owner: what monitoring reads (alerts.sql). No person, no act, no event's text.
GRANT SELECT ON posturas_sweep_runs, posturas_sweep_failures, posturas_deadlines TO posturas_reader;
GRANT SELECT (municipality, id, xid, auto, seq) ON posturas_outbox TO posturas_reader;
