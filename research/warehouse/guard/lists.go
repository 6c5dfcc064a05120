package guard

import "strings"

// words returns the set of the words of s.
func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// volatileFunctions draw random numbers, with a seed or without, or read the clock: their result
// changes from call to call, and nothing else does.
var volatileFunctions = words(`random random_normal setseed gen_random_uuid clock_timestamp`)

// functions are the functions that a PostgreSQL query may call. None of them reads anything but
// its arguments, none but the volatileFunctions is volatile (a test asks PostgreSQL), and none
// makes much out of little, as repeat does.
var functions = with(volatileFunctions, `
	any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every json_agg json_object_agg jsonb_agg jsonb_object_agg
	max min mode percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
	stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance
	cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

	abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh cot cotd degrees div erf erfc exp factorial floor gcd lcm ln log log10 min_scale mod
	pi power pow radians round scale sign sin sind sinh sqrt tan tand tanh trim_scale trunc width_bucket

	ascii bit_length btrim char_length character_length chr concat concat_ws initcap left length lower ltrim md5 octet_length overlay position regexp_count
	regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr replace reverse right rtrim split_part
	starts_with string_to_array string_to_table strpos similar_to_escape like_escape substr substring to_char to_date to_hex to_number to_timestamp translate unistr upper
	normalize is_normalized encode decode hashtext quote_ident quote_literal quote_nullable

	age date date_add date_subtract date_bin date_part date_trunc extract isfinite justify_days justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz
	now overlaps statement_timestamp timezone transaction_timestamp timestamp timestamptz time interval

	array_append array_cat array_dims array_length array_lower array_ndims array_position array_positions array_prepend array_remove array_replace array_to_json
	array_to_string array_upper cardinality generate_subscripts trim_array unnest

	json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each json_each_text json_extract_path
	json_extract_path_text json_object json_object_keys json_strip_nulls json_to_record json_to_recordset json_typeof jsonb_array_elements
	jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path
	jsonb_extract_path_text jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first
	jsonb_path_query_first_tz jsonb_path_query_tz
	jsonb_pretty jsonb_set jsonb_set_lax jsonb_insert jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb

	lower_inc lower_inf upper_inc upper_inf isempty daterange int4range int8range numrange tsrange tstzrange
	bool text varchar int4 int8 float8 numeric
	tsvector_to_array to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline
	abbrev broadcast host hostmask masklen set_masklen setweight strip numnode netmask network family inet_same_family area center diameter
	pg_typeof pg_size_pretty range_agg range_intersect_agg range_merge
	num_nonnulls num_nulls uuid_extract_timestamp uuid_extract_version crc32 crc32c sha224 sha256 sha384 sha512 get_bit get_byte bit_count`)

// redshiftFunctions are the additional functions of Redshift.
var redshiftFunctions = words(`
	listagg median ratio_to_report nvl nvl2 decode isnull dateadd datediff date_add date_diff getdate sysdate add_months months_between last_day next_day convert_timezone
	dateadd trunc to_timestamp len charindex strtol json_extract_path_text json_extract_array_element_text json_array_length json_parse json_serialize json_typeof
	is_valid_json is_valid_json_array can_json_parse get_array_length split_to_array subarray array_concat regexp_count regexp_substr regexp_instr regexp_replace
	bool_and bool_or approximate_count dlog1 dlog10 dexp checksum md5 sha1 sha2 fnv_hash func_sha1 crc32 interval_cmp date_cmp timestamp_cmp textlen bpcharcmp
	percentile_cont percentile_disc hll hll_cardinality date_part_year to_number convert is_array is_object is_scalar is_varchar is_integer is_boolean array_flatten`)

// padFunctions make a text longer, at most maxPadding characters. Their length must be a literal
// number, which the check of each dialect looks at.
var padFunctions = words("lpad rpad")

// maxPadding is the most characters a text may be padded to, and how often a text of at most
// maxRepeated bytes may be repeated.
const (
	maxPadding  = 1000
	maxRepeated = 20
)

// operators are the allowed operators.
var operators = words(`= <> != < > <= >= + - * / % ^ || | & # << >> -> ->> #> #>> #- @> <@ ? ?| ?& && ~ ~* !~ !~* ~~ ~~* !~~ !~~* |/ ||/ @ @@ @? -|- &< &> <-> |>> <<| ^@ !! ~>=~ ~<=~`)

// types are the types that a value may be cast to. PostgreSQL's types that name objects of the
// database (regclass and its relatives) are left out: a cast to one looks the object up.
var types = words(`
	bool boolean int2 int4 int8 int integer bigint smallint numeric decimal float4 float8 real money text varchar bpchar char name bytea uuid json jsonb
	date time timetz timestamp timestamptz interval inet cidr macaddr bit varbit point daterange int4range int8range numrange tsrange tstzrange tsvector tsquery record jsonpath`)
