package builtin

// The words by which columns are known. All are in lower case, as wordsOf gives
// them.
var (
	wholeTypes = setOf(`int integer bigint smallint tinyint mediumint int1 int2 int4 int8 int16 int32 int64 int128 int256 uint8 uint16 uint32 uint64 uint128 hugeint uhugeint
		ubigint uinteger usmallint utinyint serial bigserial smallserial long short byteint signed unsigned`)
	realTypes = setOf(`float float4 float8 float32 float64 double real money smallmoney bignumeric bigdecimal decfloat decimal32 decimal64 decimal128`)
	textTypes = setOf(`char character varchar varchar2 nvarchar nchar text tinytext mediumtext longtext string fixedstring bpchar name citext enum enum8 enum16 clob ntext ltext`)

	keyEnds = setOf(`id ids uuid guid pk fk sk oid rowid hash checksum md5 sha1 sha256 barcode ean isbn upc gtin vin imei`)

	timeEnds = setOf(`date dt day datetime time timestamp ts at epoch on dttm datekey`)
	// durations say that a time is a span of it.
	durations = setOf(`lead response wait waiting delivery processing handling elapsed run run_time travel play played session average avg total cycle load idle up down duration spent
		reaction resolution flight transit watch screen cpu busy air taxi turnaround full part per since until open overdue late remaining days hours`)
	calendarWords = setOf(`year yr month mon quarter qtr week day weekday dow doy hour hr minute dayofweek dayofmonth monthofyear weekofyear hourofday yearmonth yyyymm yyyymmdd`)

	ratioWords      = setOf(`pct percent percentage perc rate ratio share proportion fraction probability prob likelihood propensity utilization utilisation margin_pct ctr cvr yoy mom roi roas occupancy`)
	coordinateWords = setOf(`lat latitude lon lng long longitude coord coordinate easting northing altitude elevation geohash`)
	countWords      = setOf(`count counts cnt total num qty quantity quantities`)
	amountWords     = setOf(`amount amt total totals sum revenue sales turnover cost costs fee fees tax taxes vat_amount discount discounts refund refunds payment payments paid spend spent income
		profit loss gmv earnings expense expenses budget commission commissions bonus tip tips fare quantity qty count cnt units items clicks impressions views visits sessions orders
		purchases downloads installs likes shares comments messages calls tickets pieces votes wins losses kills coins gems points credits debits debit credit deaths injuries injured cases
		hours minutes seconds duration bytes volume tonnage shipments population precipitation rain snow rainfall snowfall stock inventory
		subtotal net gross balance_change consumption usage energy kwh seats passengers visitors customers transactions
		umsatz betrag erlös erloes kosten gebühr gebuehr menge anzahl summe stück stueck besucher stunden minuten`)
	codeWords = setOf(`status state type category cat class group code kind mode tier segment channel region zone area district priority severity version ver grade_code gender sex zip
		zipcode postcode postal plz port sic naics fips phase stage flagcode reason result level outcome store branch department dept line room floor slot bin shelf aisle cluster batch lane`)

	proseWords = setOf(`description desc comment comments note notes message body content text remark remarks url uri link path summary details detail review feedback bio abstract
		html xml json payload query sql log stack trace headers useragent filename file image photo picture avatar icon`)

	contactWords = setOf(`email mail phone mobile telephone tel fax ssn iban bic passport password passwd pwd secret token ip ipaddress address addr address1 address2 street birthdate birthday
		dob surname firstname lastname fullname forename nickname maiden cardholder card salutation username login`)
	personNames = setOf(`first_name last_name full_name family_name given_name middle_name display_name user_name contact_name nick_name name_first name_last`)
	people      = setOf(`user customer client member patient employee staff person people passenger driver student teacher owner buyer seller contact visitor guest subscriber author artist
		player account applicant candidate tenant agent manager representative rep doctor nurse worker passengers recipient sender child parent spouse`)
	thingWords = setOf(`company product category group type plan tier segment role event device country`)

	moneyWords = setOf(`amount revenue sales price total gmv profit cost income turnover spend payment net gross value`)
	// lateTimes are not those at which a row came about; ownTimes are.
	lateTimes    = setOf(`birth dob updated modified deleted changed loaded inserted expires expiry valid`)
	ownTimes     = setOf(`created placed ordered order event occurred purchase purchased sold posted start started`)
	tellingWords = setOf(`delay duration late error loss total revenue`)
	restWords    = setOf(`other misc reserve`)
	vowels       = setOf(`a e i o u`)

	statusWords = setOf(`status state stage step phase funnel outcome result event action disposition zustand ergebnis estado situacion situacao situação situación resultado statut etat état resultat résultat stato esito risultato uitkomst toestand`)
	kindEnds    = setOf(`name type kind category class group source channel`)
	geoWords    = setOf(`country state region city province county continent district`)
)
