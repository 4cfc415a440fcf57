-- Who may do what, on PostgreSQL. Run once by an administrator, in the database of Posturas; then, as posturas_owner:
--   posturas db upgrade
--   posturas db grants --role posturas_app | psql …
CREATE ROLE posturas_owner LOGIN;   -- upgrades the tables, and nothing else: no program runs as it
CREATE ROLE posturas_app LOGIN;     -- records, sweeps, verifies: cannot change nor delete an act
CREATE ROLE posturas_reader LOGIN;  -- monitoring and reports: sees no person

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO posturas_owner;
GRANT USAGE ON SCHEMA public TO posturas_app, posturas_reader;
