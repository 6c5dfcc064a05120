package guard

import "maps"

// mysqlFunctions are the functions that a query may call in MySQL and in MariaDB. None of
// them but RAND is volatile, and none reads anything but its arguments, waits, locks, or makes much out of
// little.
var mysqlFunctions = map[Dialect]map[string]bool{
	MySQL: with(mysqlBoth, `
		regexp_like bin_to_uuid uuid_to_bin is_uuid json_pretty json_schema_valid json_memberof json_merge_preserve any_value json_storage_size grouping statement_digest_text`),
	MariaDB: with(mysqlBoth, `
		json_compact json_detailed json_loose json_exists json_query json_equals json_normalize json_object_to_array to_char add_months median natural_sort_key decode_oracle
		chr length_oracle nvl nvl2 json_merge_preserve json_arrayagg months_between json_array_intersect json_object_filter_keys`),
}

// with returns a set and the words of s.
func with(set map[string]bool, s string) map[string]bool {
	out := words(s)
	maps.Copy(out, set)
	return out
}

// mysqlBoth are the functions that MySQL and MariaDB share.
var mysqlBoth = words(`
	avg bit_and bit_or bit_xor count group_concat json_arrayagg json_objectagg max min std stddev stddev_pop stddev_samp sum var_pop var_samp variance
	cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

	coalesce greatest least interval if ifnull nullif isnull strcmp
	rand abs acos asin atan atan2 ceil ceiling conv cos cot crc32 degrees exp floor ln log log2 log10 mod pi pow power radians round sign sin sqrt tan truncate bit_count

	adddate addtime convert_tz curdate current_date current_time current_timestamp curtime date dateliteral date_add date_format date_sub datediff day dayname
	dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour localtime localtimestamp makedate maketime microsecond minute month monthname now
	period_add period_diff quarter sec_to_time second str_to_date subdate subtime time timeliteral time_format time_to_sec timediff timestamp timestampliteral
	timestampadd timestampdiff to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday weekofyear year yearweek last_day

	ascii bin bit_length char_length character_length concat concat_ws convert elt field find_in_set format from_base64 hex instr lcase left length
	locate lower ltrim make_set mid oct octet_length ord position quote replace reverse right rtrim soundex substring substr substring_index to_base64 trim ucase unhex
	upper regexp_instr regexp_replace regexp_substr
	md5 sha sha1 sha2 inet_aton inet_ntoa inet6_aton inet6_ntoa is_ipv4 is_ipv6 is_ipv4_compat is_ipv4_mapped format_bytes

	json_type json_extract json_unquote json_array json_object json_set json_insert json_replace json_remove json_overlaps json_contains json_contains_path json_valid
	json_array_append json_array_insert json_merge_patch json_quote json_search json_depth json_keys json_length json_value`)
