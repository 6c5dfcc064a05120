package schema_test

import (
	"fmt"
	"strings"

	"quaestor/research/warehouse/catalog"
)

// described are tables that questions are about: name and comment, then columns with
// their types and comments. They are named as people name them, in several tongues.
const described = `
sales.orders|One row per order a customer placed|order_id bigint;customer_id bigint;ordered_at timestamp;total_amount numeric;currency text
sales.order_lines|Items of an order|order_id bigint;product_id bigint;qty integer;unit_price numeric;discount_pct numeric
sales.customers|People and companies that buy|customer_id bigint;full_name text;contact_email text;birth_date date;country_code text
sales.returns|Goods sent back|return_id bigint;order_id bigint;reason text;refund_amount numeric
sales.cust_seg|Segment each customer belongs to|customer_id bigint;segment text;valid_from date
crm.leads|Prospects before they buy|lead_id bigint;source text;stage text;won boolean
crm.cmpgn_resp|Who answered which campaign|campaign_id bigint;customer_id bigint;opened_at timestamp;clicked boolean
crm.support_tickets|Complaints and questions|ticket_id bigint;opened_at timestamp;first_response_minutes integer;satisfaction integer
erp.VBAK|Sales document header|VBELN text document number;ERDAT date created on;NETWR numeric net value;KUNNR text customer number
erp.VBAP|Sales document item|VBELN text document number;POSNR text item;MATNR text material number
erp.KNA1|Customer master, general part|KUNNR text customer number;NAME1 text name;ORT01 text city;LAND1 text country
erp.MARA|Material master|MATNR text material number;MTART text material type;BRGEW numeric gross weight
erp.BKPF|Accounting document header|BELNR text;BUDAT date posting date;BLART text document type
erp.LFA1|Vendor master|LIFNR text vendor number;NAME1 text name
erp.EKKO|Purchasing document header|EBELN text purchase order number;LIFNR text vendor number;BEDAT date
netsis.TBLSTHAR|Stock movements|STHAR_TARIH date date of the movement;STHAR_GCMIK numeric quantity in or out;STHAR_SUBE integer branch;STOK_KODU text stock code
netsis.TBLCASABIT|Fixed data of current accounts|CARI_KOD text account code;CARI_ISIM text account name;CARI_IL text province
netsis.TBLFATUIRS|Invoices and delivery notes|FATIRS_NO text number;TARIH date date;GENELTOPLAM numeric grand total
netsis.TBLSTSABIT|Fixed data of stock items|STOK_KODU text stock code;STOK_ADI text stock name;GRUP_KODU text group
lager.bestand|Quantity on hand per warehouse and article|artikel_nr text article number;lagerort text storage location;menge numeric quantity
lager.lagerbewegung|Goods receipts and issues|beleg_nr text;bewegungsart text kind of movement;menge numeric quantity
buchhaltung.rechnung|Invoices we sent|rg_nr text invoice number;rg_datum date invoice date;faellig_am date due date;brutto numeric gross amount
buchhaltung.mahnung|Payment reminders|rg_nr text invoice number;stufe integer level of the reminder
personal.mitarbeiter|Employees|pers_nr integer personnel number;eintritt date hired on;austritt date left on;abt_nr integer department
personal.fehlzeit|Absences, sick leave and vacation|pers_nr integer personnel number;von date from;bis date until;art text kind
rh.paie|Payroll per month|matricule text employee number;mois date month;salaire_brut numeric gross salary
rh.conges|Vacation days taken|matricule text employee number;jours numeric days
web.page_views|One row per page seen|session_id text;url text;referrer text;seen_at timestamp
web.sessions|Visits to the site|session_id text;device_type text;utm_source text;started_at timestamp
web.cart_events|Shopping cart, added, removed, abandoned|session_id text;product_id bigint;event_type text
web.ab_tests|Experiments and their variants|experiment text;variant text;assigned_at timestamp
app.push_notifs|Push notifications sent to phones|device_token text;sent_at timestamp;opened boolean
app.crash_rpt|Crashes of the mobile application|app_version text;stack_trace text;os text
game.player_lvl|Levels players finished|player_id bigint;level integer;attempts integer;stars integer
game.iap|Purchases inside the game|player_id bigint;sku text;price_usd numeric
sub.subscriptions|Recurring plans|subscription_id bigint;plan text;started_on date;cancelled_on date;mrr numeric
sub.churn_scores|Predicted risk that a subscriber leaves|subscription_id bigint;score numeric
log.shipments|Parcels handed to carriers|shipment_id bigint;order_id bigint;carrier text;tracking_no text;delivered_at timestamp
log.carriers|Companies that deliver|carrier text;country text
fin.gl_entries|Journal of the general ledger|entry_id bigint;acct_no text;debit numeric;credit numeric
fin.exch_rates|Rates between currencies per day|from_ccy text;to_ccy text;rate numeric;rate_date date
fin.budget|Planned spending per cost center|cost_center text;period date;planned numeric
ops.machine_telemetry|Sensor readings of machines|machine_id text;temperature double;vibration double;read_at timestamp
ops.maint_orders|Repairs and maintenance of equipment|equipment_no text;planned_on date;finished_on date;cost numeric
hosp.adm|Hospital admissions|patient_id bigint;adm_dt date admission date;dschg_dt date discharge date;ward text`

// questions are what people ask for, and the tables that answer them.
var questions = []struct{ ask, want string }{
	{"orders", "sales.orders"},
	{"which table has the items of an order with quantity and unit price", "sales.order_lines"},
	{"customer email addresses", "sales.customers"},
	{"which column holds the birthday of customers", "sales.customers"},
	{"refunds for returned goods", "sales.returns"},
	{"customer segments", "sales.cust_seg"},
	{"prospects and where leads came from", "crm.leads"},
	{"campaign responses", "crm.cmpgn_resp"},
	{"customer complaints, first response time", "crm.support_tickets"},
	{"sales document header net value", "erp.VBAK"},
	{"items of sales documents", "erp.VBAP"},
	{"VBELN", "erp.VBAK"},
	{"customer master data", "erp.KNA1"},
	{"gross weight of materials", "erp.MARA"},
	{"posting date of accounting documents", "erp.BKPF"},
	{"vendors", "erp.LFA1"},
	{"purchase orders", "erp.EKKO"},
	{"stock movements by branch", "netsis.TBLSTHAR"},
	{"STHAR_SUBE", "netsis.TBLSTHAR"},
	{"province of the current account", "netsis.TBLCASABIT"},
	{"invoices and delivery notes grand total", "netsis.TBLFATUIRS"},
	{"stock item names and groups", "netsis.TBLSTSABIT"},
	{"quantity on hand per storage location", "lager.bestand"},
	{"lager bewegung", "lager.lagerbewegung"},
	{"due date of invoices", "buchhaltung.rechnung"},
	{"payment reminders", "buchhaltung.mahnung"},
	{"when were employees hired", "personal.mitarbeiter"},
	{"sick leave", "personal.fehlzeit"},
	{"gross salary per month", "rh.paie"},
	{"vacation days", "rh.conges"},
	{"pageviews referrer", "web.page_views"},
	{"utm source of visits", "web.sessions"},
	{"cart abandoned events", "web.cart_events"},
	{"experiment variants", "web.ab_tests"},
	{"push notifications opened", "app.push_notifs"},
	{"crash reports by app version", "app.crash_rpt"},
	{"player levels and attempts", "game.player_lvl"},
	{"in-game purchases", "game.iap"},
	{"monthly recurring revenue mrr by plan", "sub.subscriptions"},
	{"churn risk", "sub.churn_scores"},
	{"parcel tracking number", "log.shipments"},
	{"general ledger accounts debit credit", "fin.gl_entries"},
	{"exchange rates", "fin.exch_rates"},
	{"budget by cost center", "fin.budget"},
	{"machine vibration sensors", "ops.machine_telemetry"},
	{"equipment maintenance cost", "ops.maint_orders"},
	{"admission date of patients", "hosp.adm"},
	{"suppliers", "erp.LFA1"},
	{"clients", "sales.customers"},
	{"staff turnover", "personal.mitarbeiter"},
	{"spending forecast", "fin.budget"},
	{"mobile app failures", "app.crash_rpt"},
	{"delivery companies", "log.carriers"},
	{"cust email", "sales.customers"},
	{"subscr cancelled", "sub.subscriptions"},
}

// asked returns a warehouse of n tables, those described among many others that
// have words in common with them.
func asked(n int) []catalog.Table {
	var out []catalog.Table
	for line := range strings.Lines(strings.TrimSpace(described)) {
		out = append(out, describe(strings.TrimSpace(line)))
	}
	areas := strings.Fields("stg dwh mart ref audit lab telco energy travel edu agri legal media bank insur retail")
	things := strings.Fields("account booking claim policy meter reading flight hotel course exam parcel field contract case article channel teller card loan premium sample batch tower call plan invoice product payment user event")
	ends := strings.Fields("hist dim fact map detail summary daily snapshot attr type")
	for i := len(out); i < n; i++ {
		t := catalog.Table{Schema: areas[i%len(areas)], Name: fmt.Sprintf("%s_%s_%s", things[i/3%len(things)], things[i*7%len(things)], ends[i/11%len(ends)]), Rows: int64(i) * 7919 % 5_000_000}
		if i >= len(areas)*len(things) {
			t.Name += fmt.Sprint("_", i/len(areas)/len(things))
		}
		t.Name += fmt.Sprint("_", i%97)
		if i%3 == 0 {
			t.Comment = "Each " + things[i/3%len(things)] + " with its " + things[i*7%len(things)]
		}
		for _, c := range []string{"id bigint", "customer_id bigint", "created_at timestamp", "status text", "amount numeric", "order_id bigint", things[i%len(things)] + "_code text", things[i*5%len(things)] + "_date date", ends[i%len(ends)] + "_quantity numeric"} {
			name, typ, _ := strings.Cut(c, " ")
			t.Columns = append(t.Columns, catalog.Column{Name: name, Type: typ, Key: name == "id"})
		}
		out = append(out, t)
	}
	return out
}

// describe reads one line of described.
func describe(line string) catalog.Table {
	parts := strings.Split(line, "|")
	t := catalog.Table{Comment: parts[1], Rows: 50_000}
	t.Schema, t.Name, _ = strings.Cut(parts[0], ".")
	for c := range strings.SplitSeq(parts[2], ";") {
		word := strings.SplitN(c, " ", 3)
		column := catalog.Column{Name: word[0], Type: word[1]}
		if len(word) == 3 {
			column.Comment = word[2]
		}
		t.Columns = append(t.Columns, column)
	}
	return t
}
