package pgwire

// The queries for catalogs take the wanted schemas as an array or, for Redshift, as lines; none
// means all except the system's. Row counts are the planner's estimates; nothing is counted.

// postgresTables lists the tables and columns that the role may read. Partitions are left out,
// because they are read through their table, whose row count is the sum of theirs.
const postgresTables = `
SELECT n.nspname, c.relname, coalesce(d.description, ''),
    CASE WHEN c.relkind = 'v' OR c.relpages = 0 AND c.reltuples = 0 AND pg_catalog.current_setting('server_version_num')::int < 140000 THEN -1
        WHEN c.relkind = 'p' AND c.reltuples < 0 THEN (SELECT sum(k.reltuples) FILTER (WHERE k.reltuples >= 0) FROM pg_catalog.pg_partition_tree(c.oid) t JOIN pg_catalog.pg_class k ON k.oid = t.relid WHERE t.isleaf)
        ELSE c.reltuples END,
    a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull, coalesce(a.attnum = ANY (k.conkey), false), coalesce(e.description, '')
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = 0
LEFT JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
LEFT JOIN pg_catalog.pg_description e ON e.objoid = c.oid AND e.classoid = 'pg_catalog.pg_class'::regclass AND e.objsubid = a.attnum
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND CASE WHEN pg_catalog.cardinality($1::text[]) = 0 THEN n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_t%' ELSE n.nspname = ANY ($1::text[]) END
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
ORDER BY n.nspname, c.relname, a.attnum`

// postgresForeign lists the columns of foreign keys, grouped by key and in the key's
// order.
const postgresForeign = `
SELECT n.nspname, c.relname, k.conname, a.attname, m.nspname, t.relname, b.attname
FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class t ON t.oid = k.confrelid
JOIN pg_catalog.pg_namespace m ON m.oid = t.relnamespace
CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(k.conkey), pg_catalog.unnest(k.confkey)) WITH ORDINALITY AS u(own, other, place)
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.own
JOIN pg_catalog.pg_attribute b ON b.attrelid = t.oid AND b.attnum = u.other
WHERE k.contype = 'f' AND NOT c.relispartition AND NOT t.relispartition AND (pg_catalog.cardinality($1::text[]) = 0 OR n.nspname = ANY ($1::text[]))
ORDER BY n.nspname, c.relname, k.conname, u.place`

// postgresRights lists what the current role may do beyond reading, at most as many clauses as a
// person reads.
const postgresRights = `
SELECT why FROM (
SELECT 1, 'everything: it is a superuser' FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper
UNION ALL SELECT 2, 'create roles' FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolcreaterole AND NOT rolsuper
UNION ALL SELECT 2, 'create databases' FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolcreatedb AND NOT rolsuper
UNION ALL SELECT 2, 'replicate' FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolreplication AND NOT rolsuper
UNION ALL SELECT 3, 'act as ' || r.rolname FROM pg_catalog.pg_roles r
    WHERE (r.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_read_server_files', 'pg_execute_server_program', 'pg_signal_backend', 'pg_maintain', 'pg_checkpoint', 'pg_create_subscription', 'pg_use_reserved_connections') OR r.rolsuper)
        AND r.rolname <> current_user AND pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER') AND NOT (SELECT s.rolsuper FROM pg_catalog.pg_roles s WHERE s.rolname = current_user)
UNION ALL SELECT 4, 'create schemas in ' || pg_catalog.current_database() WHERE pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
UNION ALL SELECT 5, 'create in schema ' || n.nspname FROM pg_catalog.pg_namespace n
    WHERE n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')
UNION ALL SELECT 6, p.verb || n.nspname || '.' || c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN (VALUES ('INSERT', 'insert into '), ('UPDATE', 'update '), ('DELETE', 'delete from '), ('TRUNCATE', 'truncate ')) AS p(name, verb)
    WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
        AND CASE WHEN p.name IN ('INSERT', 'UPDATE') THEN pg_catalog.has_any_column_privilege(c.oid, p.name) ELSE pg_catalog.has_table_privilege(c.oid, p.name) END
UNION ALL SELECT 7, 'advance sequence ' || n.nspname || '.' || c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'S' AND n.nspname NOT LIKE 'pg\_%' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
        AND CASE c.relkind WHEN 'S' THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE, UPDATE') ELSE false END
) AS all_rights(place, why) ORDER BY place, why LIMIT 50`

// redshiftTables uses Redshift's own views, which include external tables and row counts.
const redshiftTables = `
SELECT t.table_schema, t.table_name, coalesce(t.remarks, ''), coalesce(i.tbl_rows, -1), c.column_name, c.data_type, c.is_nullable = 'NO', k.attnum IS NOT NULL, coalesce(c.remarks, '')
FROM svv_tables t
JOIN svv_columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
LEFT JOIN svv_table_info i ON i."schema" = t.table_schema AND i."table" = t.table_name
LEFT JOIN (SELECT n.nspname, r.relname, a.attname, a.attnum FROM pg_constraint p JOIN pg_class r ON r.oid = p.conrelid JOIN pg_namespace n ON n.oid = r.relnamespace
    JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = ANY (p.conkey) WHERE p.contype = 'p') k
    ON k.nspname = t.table_schema AND k.relname = t.table_name AND k.attname = c.column_name
WHERE t.table_schema NOT IN ('pg_catalog', 'information_schema', 'pg_internal', 'pg_automv', 'catalog_history') AND ($1 = '' OR strpos($1, chr(10) || t.table_schema || chr(10)) > 0)
ORDER BY t.table_schema, t.table_name, c.ordinal_position`

// redshiftPlainTables is used for roles that may not read those views.
const redshiftPlainTables = `
SELECT n.nspname, c.relname, coalesce(d.description, ''), CASE WHEN c.relkind = 'v' OR c.reltuples <= 0 THEN -1 ELSE c.reltuples END,
    a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, coalesce(a.attnum = ANY (k.conkey), false), coalesce(e.description, '')
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_description d ON d.objoid = c.oid AND d.objsubid = 0
LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_description e ON e.objoid = c.oid AND e.objsubid = a.attnum
WHERE c.relkind IN ('r', 'v') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_internal', 'pg_toast') AND ($1 = '' OR strpos($1, chr(10) || n.nspname || chr(10)) > 0)
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname, c.relname, a.attnum`

// redshiftForeign reads keys of up to eight columns, one position at a time, because Redshift has
// neither LATERAL nor WITH ORDINALITY.
const redshiftForeign = `
SELECT n.nspname, c.relname, k.conname, a.attname, m.nspname, t.relname, b.attname
FROM pg_constraint k
JOIN pg_class c ON c.oid = k.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_class t ON t.oid = k.confrelid
JOIN pg_namespace m ON m.oid = t.relnamespace
CROSS JOIN (SELECT 1 AS place UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8) u
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[u.place]
JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = k.confkey[u.place]
WHERE k.contype = 'f' AND ($1 = '' OR strpos($1, chr(10) || n.nspname || chr(10)) > 0)
ORDER BY n.nspname, c.relname, k.conname, u.place`

// redshiftRights lists what the role could change, in words for a person; no rows if
// it can only read.
const redshiftRights = `
SELECT why FROM (
SELECT 1 AS place, 'everything: it is a superuser' AS why FROM pg_user WHERE usename = current_user AND usesuper
UNION ALL SELECT 2, 'create databases' FROM pg_user WHERE usename = current_user AND usecreatedb AND NOT usesuper
UNION ALL SELECT 3, 'create schemas in ' || current_database() FROM pg_user WHERE usename = current_user AND has_database_privilege(current_database(), 'CREATE')
UNION ALL SELECT 4, 'create in schema ' || n.nspname FROM pg_namespace n WHERE n.nspname NOT LIKE 'pg!_%' ESCAPE '!' AND n.nspname NOT IN ('information_schema', 'catalog_history') AND has_schema_privilege(n.oid, 'CREATE')
UNION ALL SELECT 5, p.verb || n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN (SELECT 'INSERT' AS name, 'insert into ' AS verb UNION ALL SELECT 'UPDATE', 'update ' UNION ALL SELECT 'DELETE', 'delete from ') p
    WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg!_%' ESCAPE '!' AND n.nspname <> 'information_schema' AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, p.name)
) AS all_rights ORDER BY place, why LIMIT 50`
