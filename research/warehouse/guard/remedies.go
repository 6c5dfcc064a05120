package guard

import "strings"

// What to write in the place of what is refused, by what it does. A model reads it and writes
// the statement again.
const (
	readsFiles   = "it reads files or addresses; use a table of the catalog"
	asksServers  = "it asks another server, which has to be connected as a warehouse of its own"
	waits        = "it only waits or locks; leave it out"
	tellsServer  = "it tells about the server or the user; leave it out"
	writes       = "it changes something; write one query that reads"
	runsText     = "it runs a text as SQL; write that SQL itself"
	amplifies    = "it makes much out of little; write the value itself"
	otherPlainly = "use another, or plain expressions"
)

// remedies are what to do about functions that are not on the lists, for those that analysts or
// attackers write most.
var remedies = remedyTable(map[string]string{
	readsFiles: `pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file lo_import lo_get load_file openrowset opendatasource url s3 s3cluster gcs azureblobstorage hdfs file input
		read_csv read_csv_auto read_parquet parquet_scan read_json read_json_auto read_text read_blob glob sniff_csv iceberg_scan delta_scan csv_scan`,
	asksServers: `dblink dblink_exec postgres_query postgres_scan mysql_query mysql_scan sqlite_scan sqlite_query external_query remote remotesecure cluster clusterallreplicas mysql postgresql
		mongodb redis odbc jdbc openquery net.http_get net.http_post http_get http_post`,
	waits: `pg_sleep pg_sleep_for pg_sleep_until sleep sleepeachrow benchmark get_lock release_lock is_free_lock pg_advisory_lock pg_advisory_xact_lock pg_try_advisory_lock waitfor
		system$wait`,
	tellsServer: `version current_user session_user user system_user current_role current_database database schema current_schema current_setting host_name hostname suser_name suser_sname
		user_name db_name app_name getenv current_catalog connection_id current_account current_region current_warehouse current_session pg_backend_pid inet_server_addr inet_client_addr
		serverproperty object_id object_name col_name uptime tcpport getmacro getsetting`,
	writes: `setval lo_create lo_export lo_unlink pg_terminate_backend pg_cancel_backend pg_reload_conf set_config pg_notify pg_logical_emit_message last_insert_id
		pg_create_restore_point pg_switch_wal txid_current`,
	runsText: `query_to_xml query_to_xml_and_xmlschema table_to_xml cursor_to_xml database_to_xml schema_to_xml xpath_table connectby query query_table sys_exec sp_executesql eval`,
	"write SUM(CASE WHEN … THEN … END) for each column": "crosstab",
	"join the table of the dictionary":                  "dictget dictgetordefault dictgetornull dicthas",
	"compare with LIKE or a regular expression":         "similarity word_similarity",
	"number rows with ROW_NUMBER()":                     "nextval uuid uuid_short",
	"use CURRENT_TIMESTAMP":                             "timeofday",
	"use figures of the tables":                         "ml.predict ml.forecast ai.generate snowflake.cortex.complete",
	amplifies:                                           `randomstring randomprintableascii randomfixedstring list_resize arrayresize zeros_mt numbers_mt generate_subscripts randstr`,
})

func remedyTable(by map[string]string) map[string]string {
	out := map[string]string{}
	for remedy, names := range by {
		for name := range words(names) {
			out[name] = remedy
		}
	}
	return out
}

// remedyOf returns what to write in the place of a function.
func remedyOf(name string) string {
	if r := remedies[strings.ToLower(name)]; r != "" {
		return r
	}
	return otherPlainly
}

// constructs are words that begin what some dialect has and is not possible here, with what to
// write instead.
var constructs = map[string]string{
	"MATCH_RECOGNIZE": "find patterns with LAG, LEAD and other window functions",
	"JSON_TABLE":      "use JSON_EXTRACT or JSON_VALUE with the path of each value",
	"XMLTABLE":        "use columns of the tables",
	"QUALIFY":         "rank in a query in FROM, and filter with WHERE around it",
	"UNPIVOT":         "write one SELECT for each column, and UNION ALL between them",
	"PIVOT":           "write SUM(CASE WHEN … THEN … END) for each column",
	"APPROXIMATE":     "write COUNT(DISTINCT …)",
	"TOP":             "write LIMIT at the end",
	"SETTINGS":        "leave it out; the connection has its limits",
	"FORMAT":          "leave it out; rows are returned as they are",
	"OPTION":          "leave it out; only OPTION (MAXRECURSION n) at the end is possible",
	"CONNECT":         "use a query of WITH that refers to itself",
	"INTO":            "leave it out; rows are returned",
	"OUTFILE":         "leave it out; rows are returned",
	"LOCK":            "leave it out; nothing is locked",
	"PROCEDURE":       "leave it out",
}

// constructIn returns a word of constructs that a statement has outside of quotes, the first;
// empty if it has none. A statement that could not be parsed most likely failed there.
func (l *lexicon) constructIn(sql string) string {
	for i := 0; i < len(sql); {
		t := l.next(sql[i:])
		i += len(t.raw)
		if w := strings.ToUpper(t.raw); t.kind == word && constructs[w] != "" {
			return w
		}
	}
	return ""
}

// unparsed refuses a statement that a grammar cannot parse, with what the grammar says.
func (l *lexicon) unparsed(sql, why string) *Refusal {
	remedy := "fix its syntax"
	if w := l.constructIn(sql); w != "" {
		remedy = w + " is not possible here: " + constructs[w]
	}
	return &Refusal{RuleSyntax, "the statement cannot be parsed: " + firstLine(why), remedy}
}
