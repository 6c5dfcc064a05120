package guard

// commonReserved are words that every dialect takes as part of a query.
var commonReserved = upper(`
	select from where group having order limit offset fetch union intersect except join inner left right full outer cross natural on using as and or not in is like between
	case when then else end with distinct into window for by over exists all insert update delete merge drop create alter truncate grant revoke exec execute call
	values table set asc desc nulls pivot unpivot tablesample lateral collate escape recursive rows`)

// transactWords are words that SQL Server takes as part of a query or as the start of the
// next statement, for which it needs no semicolon.
const transactWords = `
	ADD ANY APPLY AUTHORIZATION BACKUP BEGIN BREAK BROWSE BULK CASCADE CHECK CHECKPOINT CLOSE CLUSTERED COLUMN COMMIT COMPUTE CONSTRAINT CONTAINS CONTAINSTABLE CONTINUE
	CURSOR DATABASE DBCC DEALLOCATE DECLARE DEFAULT DENY DISK DISTRIBUTED DUMP ERRLVL EXIT EXTERNAL FILE FILLFACTOR FOREIGN FREETEXT FREETEXTTABLE FUNCTION GOTO HOLDLOCK
	IDENTITY IDENTITY_INSERT IF INDEX KEY KILL LINENO LOAD NOCHECK NONCLUSTERED OF OFF OFFSETS OPEN OPENDATASOURCE OPENQUERY OPENROWSET OPENXML OPTION PERCENT PIVOT PLAN
	PRIMARY PRINT PROC PROCEDURE PUBLIC RAISERROR READ READTEXT RECONFIGURE REFERENCES REPLICATION RESTORE RESTRICT RETURN REVERT ROLLBACK ROWCOUNT RULE SAVE SCHEMA
	SECURITYAUDIT SETUSER SHUTDOWN SOME STATISTICS TEXTSIZE TO TOP TRAN TRANSACTION TRIGGER TSEQUAL UNIQUE UPDATETEXT USE VARYING VIEW WAITFOR WHILE WRITETEXT THROW`

// commonTypes are the types that a value may be cast to.
var commonTypes = words(`
	int integer int64 int32 int16 int8 int128 int256 uint8 uint16 uint32 uint64 uint128 uint256 bigint smallint tinyint byteint bit bool boolean
	numeric decimal bignumeric bigdecimal number decimal32 decimal64 decimal128 decimal256 float float32 float64 float4 float8 double real money smallmoney
	string fixedstring varchar nvarchar char nchar character text ntext bytes binary varbinary uuid uniqueidentifier json variant object array map struct tuple nullable lowcardinality
	date date32 time timestamp timestamp_ntz timestamp_ltz timestamp_tz datetime datetime2 datetime64 smalldatetime datetimeoffset interval geography ipv4 ipv6 max`)

// commonFunctions are the functions that a query may call in all four dialects. No function
// on these lists but those that draw random numbers is volatile, and none reads anything but its arguments, waits, writes, or makes much
// out of little.
var commonFunctions = words(`
	avg count max min sum stddev stddev_pop stddev_samp var_pop var_samp variance corr covar_pop covar_samp
	cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number percentile_cont percentile_disc
	coalesce nullif abs acos asin atan ceiling cos cot exp floor log log10 power radians degrees round sign sin sqrt tan pi
	ascii char concat concat_ws left lower ltrim replace reverse right rtrim substring trim upper soundex translate cast rollup cube grouping`)

// The functions of each dialect beyond the common ones.
const bigQueryFunctions = `
	rand generate_uuid
	any_value approx_count_distinct approx_quantiles approx_top_count approx_top_sum array_agg array_concat_agg bit_and bit_or bit_xor countif logical_and logical_or max_by min_by
	string_agg grouping hll_count.init hll_count.merge hll_count.extract hll_count.merge_partial acosh asinh atan2 atanh cbrt ceil cosh div greatest ieee_divide is_inf is_nan least ln mod
	pow range_bucket safe_add safe_divide safe_multiply safe_negate safe_subtract sinh tanh trunc
	array array_concat array_first array_includes array_last array_length array_reverse array_slice array_sum array_avg array_max array_min array_to_string generate_array generate_date_array
	generate_timestamp_array offset ordinal safe_offset safe_ordinal unnest struct
	byte_length char_length character_length chr code_points_to_string collate contains_substr edit_distance ends_with format from_base32 from_base64 from_hex initcap instr length lpad rpad
	md5 normalize normalize_and_casefold octet_length regexp_contains regexp_extract regexp_extract_all regexp_instr regexp_replace regexp_substr safe_convert_bytes_to_string sha1 sha256 sha512
	split starts_with strpos substr to_base32 to_base64 to_code_points to_hex unicode farm_fingerprint
	current_date current_datetime current_time current_timestamp date date_add date_diff date_from_unix_date date_sub date_trunc date_bucket datetime datetime_add datetime_diff datetime_sub
	datetime_trunc datetime_bucket extract format_date format_datetime format_time format_timestamp last_day parse_date parse_datetime parse_time parse_timestamp time time_add time_diff time_sub
	time_trunc timestamp timestamp_add timestamp_diff timestamp_micros timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc timestamp_bucket unix_date unix_micros unix_millis
	unix_seconds week isoweek make_interval justify_days justify_hours justify_interval string
	json_extract json_extract_array json_extract_scalar json_extract_string_array json_query json_query_array json_value json_value_array json_type json_keys json_array json_object parse_json
	to_json to_json_string lax_bool lax_float64 lax_int64 lax_string repeat bool int64 float64 parse_numeric parse_bignumeric
	safe_cast if ifnull nullifzero safe.parse_date safe.parse_timestamp safe.parse_datetime safe.substr safe.parse_json safe.divide safe.ln safe.log safe.sqrt safe.parse_numeric safe.format_date
	safe.timestamp_seconds safe.timestamp_millis net.host net.reg_domain net.public_suffix net.ip_from_string net.safe_ip_from_string
	st_distance st_geogpoint st_dwithin st_within st_x st_y st_contains st_area st_length bit_count`

const snowflakeFunctions = `
	random uniform normal uuid_string
	any_value approx_count_distinct approx_percentile approx_top_k array_agg array_union_agg array_unique_agg bitand_agg bitor_agg booland_agg boolor_agg count_if hash_agg hll kurtosis listagg
	max_by median min_by mode object_agg ratio_to_report regr_slope regr_intercept regr_r2 regr_count skew conditional_change_event conditional_true_event width_bucket grouping_id sum_if
	acosh asinh atan2 atanh cbrt ceil cosh div0 div0null factorial greatest greatest_ignore_nulls haversine least least_ignore_nulls ln mod pow sinh square tanh trunc truncate
	base64_decode_string base64_encode bit_length charindex chr collate contains editdistance endswith hex_decode_string hex_encode ilike initcap insert jarowinkler_similarity len length like
	lpad rpad md5 md5_hex octet_length parse_ip parse_url position regexp_count regexp_instr regexp_like regexp_replace regexp_substr regexp_substr_all rlike sha1 sha2 split split_part
	repeat seq1 seq2 seq4 seq8 startswith strtok strtok_to_array substr unicode upper
	add_months convert_timezone current_date current_time current_timestamp date date_from_parts date_part date_trunc dateadd datediff day dayname dayofmonth dayofweek dayofweekiso dayofyear
	extract getdate hour last_day localtime localtimestamp minute month monthname months_between next_day previous_day quarter second sysdate time time_from_parts time_slice timeadd timediff
	timestamp_from_parts timestamp_ntz_from_parts timestampadd timestampdiff to_date to_time to_timestamp to_timestamp_ltz to_timestamp_ntz to_timestamp_tz try_to_date try_to_time try_to_timestamp
	try_to_timestamp_ntz week weekiso weekofyear year yearofweek yearofweekiso
	array_append array_cat array_compact array_construct array_contains array_distinct array_except array_flatten array_insert array_intersection array_max array_min array_position array_prepend
	array_size array_slice array_sort array_to_string arrays_overlap as_array as_char as_date as_double as_integer as_object as_varchar check_json get get_path is_array is_boolean is_date is_decimal
	is_double is_integer is_null_value is_object is_varchar object_construct object_construct_keep_null object_delete object_insert object_keys object_pick parse_json strip_null_value to_array
	to_json to_object to_variant try_parse_json typeof filter transform reduce
	decode equal_null ifnull iff nullifzero nvl nvl2 regr_valx zeroifnull booland boolor boolnot boolxor to_binary to_boolean to_char to_decimal to_double to_number to_numeric to_varchar
	try_cast try_to_boolean try_to_decimal try_to_double try_to_number try_to_numeric hash bitand bitor bitxor bitnot bitshiftleft bitshiftright st_distance st_makepoint st_x st_y`

const sqlServerFunctions = `
	rand newid
	any_value approx_count_distinct approx_percentile_cont approx_percentile_disc checksum_agg count_big grouping_id stdev stdevp string_agg var varp
	atn2 log square greatest least choose isnull try_cast try_convert convert isnumeric isdate iif
	charindex datalength difference format len nchar patindex quotename replicate space parse try_parse str string_escape stuff unicode lower upper replace
	current_timestamp date_bucket dateadd datediff datediff_big datefromparts datename datepart datetime2fromparts datetimefromparts datetimeoffsetfromparts datetrunc day eomonth getdate
	getutcdate month smalldatetimefromparts switchoffset sysdatetime sysdatetimeoffset sysutcdatetime timefromparts todatetimeoffset year
	isjson json_value json_query json_modify json_path_exists json_object json_array hashbytes binary_checksum checksum bit_count left_shift right_shift`

const clickHouseFunctions = `
	rand rand32 rand64 randCanonical randUniform randNormal generateUUIDv4 hasToken hasTokenCaseInsensitive columns
	any anyHeavy anyLast argMax argMin avgWeighted groupArray groupArraySorted groupUniqArray groupBitAnd groupBitOr groupBitXor quantile quantileExact quantileExactLow quantileTDigest
	quantileTiming quantileWeighted quantileDeterministic quantiles quantilesExact quantilesTDigest median medianExact medianTDigest uniq uniqExact uniqCombined uniqCombined64 uniqHLL12 uniqTheta
	countIf sumIf sumOrNull avgOrNull minOrNull maxOrNull sumOrDefault avgOrDefault avgIf minIf maxIf uniqIf uniqExactIf anyIf argMaxIf argMinIf groupArrayIf groupUniqArrayIf quantileIf medianIf countDistinct countDistinctIf sumMap minMap maxMap sumWithOverflow
	stddevPop stddevSamp stddevPopStable stddevSampStable varPop varSamp covarPop covarSamp corr corrStable kurtPop kurtSamp skewPop skewSamp simpleLinearRegression entropy topK topKWeighted
	windowFunnel retention sequenceMatch sequenceCount histogram deltaSum boundingRatio exponentialMovingAverage sumMerge countMerge avgMerge uniqMerge uniqExactMerge quantileMerge maxMerge minMerge
	leadInFrame lagInFrame first_value last_value mannWhitneyUTest studentTTest welchTTest
	plus minus multiply divide intDiv intDivOrZero modulo negate gcd lcm max2 min2 ceil trunc roundBankers roundDown roundToExp2 exp2 exp10 log2 pow cbrt erf tgamma lgamma least greatest
	equals notEquals less greater lessOrEquals greaterOrEquals and or not xor multiIf ifNull nullIf assumeNotNull toNullable isNull isNotNull isNaN isFinite isInfinite ifNotFinite
	empty notEmpty length lengthUTF8 lowerUTF8 upperUTF8 lcase ucase reverseUTF8 substr mid substringUTF8 position positionUTF8 positionCaseInsensitive multiSearchAny
	like notLike ilike notILike match extract extractAll extractAllGroups multiMatchAny replaceOne replaceAll replaceRegexpOne replaceRegexpAll splitByChar splitByString splitByRegexp
	arrayStringConcat startsWith endsWith trimLeft trimRight trimBoth format leftPad rightPad lpad rpad hex unhex base64Encode base64Decode tryBase64Decode concatWithSeparator appendTrailingCharIfAbsent countSubstrings
	domain domainWithoutWWW topLevelDomain protocol path pathFull queryString extractURLParameter extractURLParameters extractURLParameterNames cutQueryString cutURLParameter decodeURLComponent
	now today yesterday toDate toDate32 toDateTime toDateTime64 toDateOrNull toDateOrZero toDateTimeOrNull toDateTimeOrZero parseDateTime parseDateTimeBestEffort parseDateTimeBestEffortOrNull toYear toQuarter
	toMonth toDayOfYear toDayOfMonth toDayOfWeek toHour toMinute toSecond toISOWeek toISOYear toWeek toYearWeek toUnixTimestamp toUnixTimestamp64Milli fromUnixTimestamp fromUnixTimestamp64Milli
	toStartOfYear toStartOfISOYear toStartOfQuarter toStartOfMonth toMonday toStartOfWeek toStartOfDay toStartOfHour toStartOfMinute toStartOfSecond toStartOfFiveMinutes toStartOfTenMinutes
	toStartOfFifteenMinutes toStartOfInterval toLastDayOfMonth toTime toTimeZone toRelativeDayNum toRelativeMonthNum toRelativeWeekNum toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss dateDiff date_diff dateAdd date_add
	dateSub date_sub date_trunc dateTrunc dateName addDays addHours addMinutes addMonths addQuarters addSeconds addWeeks addYears subtractDays subtractHours subtractMinutes subtractMonths
	subtractQuarters subtractSeconds subtractWeeks subtractYears formatDateTime timeSlot timeSlots age makeDate makeDateTime monthName year month day hour minute second quarter current_timestamp current_date
	toInt8 toInt16 toInt32 toInt64 toUInt8 toUInt16 toUInt32 toUInt64 toInt128 toInt32OrZero toInt64OrZero toInt64OrNull toInt32OrNull toUInt64OrZero toUInt64OrNull toUInt32OrZero toFloat32 toFloat64
	toFloat64OrZero toFloat64OrNull toFloat32OrZero toDecimal32 toDecimal64 toDecimal128 toDecimal64OrZero toDecimal64OrNull toString  toUUID toUUIDOrNull toBool accurateCast accurateCastOrNull toIntervalDay toIntervalMonth
	toIntervalHour toIntervalWeek toIntervalYear toIntervalMinute toIntervalSecond toLowCardinality toTypeName
	range array arrayJoin arrayConcat arrayElement has hasAll hasAny indexOf arrayCount countEqual arrayEnumerate arrayEnumerateUniq arrayEnumerateDense arrayPopBack arrayPopFront arrayPushBack arrayPushFront
	arraySlice arraySort arrayReverseSort arrayUniq arrayDistinct arrayIntersect arrayReverse arrayZip arrayMap arrayFilter arrayExists arrayAll arrayFirst arrayLast arrayFirstIndex arraySum arrayAvg
	arrayMin arrayMax arrayCumSum arrayDifference arrayProduct arrayCompact arrayFlatten emptyArrayString emptyArrayUInt8 tuple tupleElement untuple map mapKeys mapValues mapContains mapFromArrays
	JSONExtract JSONExtractString JSONExtractInt JSONExtractUInt JSONExtractFloat JSONExtractBool JSONExtractRaw JSONExtractArrayRaw JSONExtractKeysAndValues JSONHas JSONLength JSONType JSONExtractKeys isValidJSON
	JSON_VALUE JSON_QUERY simpleJSONExtractString simpleJSONExtractInt simpleJSONExtractFloat visitParamExtractString visitParamExtractInt visitParamHas visitParamExtractFloat visitParamExtractBool
	cityHash64 sipHash64 xxHash64 xxHash32 murmurHash3_64 farmHash64 intHash32 intHash64 MD5 SHA1 SHA256 bitAnd bitOr bitXor bitNot bitShiftLeft bitShiftRight bitCount
	IPv4NumToString IPv4StringToNum IPv6NumToString toIPv4 toIPv6 isIPv4String isIPv6String greatCircleDistance geoDistance pointInPolygon geohashEncode
	repeat runningDifference cutToFirstSignificantSubdomain URLHierarchy if neighbor transform bar formatReadableSize formatReadableQuantity formatReadableTimeDelta widthBucket coalesce caseWithExpression levenshteinDistance ngramDistance`
