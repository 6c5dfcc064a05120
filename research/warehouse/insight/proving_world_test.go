package insight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"quaestor/research/warehouse/catalog"
)

// trade is the vocabulary of one kind of organisation: a table of those it serves, and one of what
// happens to them.
type trade struct {
	owners, owner, since, region, kind string   // the table of those who are served, its key and columns
	events, event, at, done, ref       string   // the table of what happens, its key, its times and its reference
	amount, units                      string   // what is measured
	first, second, third               string   // columns that group events
	regions, kinds, firsts, seconds    []string // values
	thirds                             []string
	note                               string // a column that may be left empty
	flag                               string // a yes or no
	mean, spread, perDay               float64
}

var trades = []trade{
	{owners: "accounts", owner: "account_id", since: "created_at", region: "country_code", kind: "plan", events: "invoices", event: "invoice_no", at: "issued_at", done: "paid_at", ref: "account_id",
		amount: "amount_eur", units: "seats", first: "payment_method", second: "sales_channel", third: "product_line", regions: []string{"DE", "AT", "CH", "PL", "CZ", "NL"}, kinds: []string{"free", "team", "business"},
		firsts: []string{"card", "sepa", "invoice", "paypal"}, seconds: []string{"inbound", "partner", "outbound"}, thirds: []string{"editor", "storage", "meetings", "forms", "crm"}, note: "po_number", flag: "disputed", mean: 140, spread: 0.7, perDay: 26},
	{owners: "patients", owner: "patient_id", since: "registered_on", region: "district", kind: "insurance", events: "admissions", event: "admission_id", at: "admitted_at", done: "discharged_at", ref: "patient_id",
		amount: "total_cost", units: "diagnoses", first: "ward", second: "urgency", third: "referral_source", regions: []string{"north", "harbour", "old town", "hills", "south"}, kinds: []string{"public", "private", "none"},
		firsts: []string{"surgery", "cardiology", "paediatrics", "oncology", "geriatrics"}, seconds: []string{"elective", "urgent", "emergency"}, thirds: []string{"gp", "ambulance", "self", "transfer"}, note: "blood_type", flag: "readmitted", mean: 2900, spread: 0.9, perDay: 22},
	{owners: "shippers", owner: "shipper_id", since: "onboarded", region: "home_region", kind: "contract_type", events: "shipments", event: "shipment_id", at: "booked_at", done: "delivered_at", ref: "shipper_id",
		amount: "freight_cost", units: "weight_kg", first: "carrier", second: "service_level", third: "depot", regions: []string{"iberia", "benelux", "nordics", "alps"}, kinds: []string{"spot", "framework"},
		firsts: []string{"Falcon", "Gulliver", "Nordlink", "Rapid Road"}, seconds: []string{"economy", "standard", "express"}, thirds: []string{"LIS", "ANR", "MMX", "INN", "HAM", "LYS"}, note: "customs_ref", flag: "damaged", mean: 85, spread: 0.8, perDay: 30},
	{owners: "kunden", owner: "kunde_id", since: "angelegt_am", region: "bundesland", kind: "kundengruppe", events: "bestellungen", event: "bestell_nr", at: "bestellt_am", done: "versendet_am", ref: "kunde_id",
		amount: "betrag", units: "anzahl", first: "zahlungsart", second: "kanal", third: "warengruppe", regions: []string{"Bayern", "Sachsen", "Hessen", "Bremen", "Berlin"}, kinds: []string{"privat", "gewerbe"},
		firsts: []string{"Rechnung", "Lastschrift", "Kreditkarte", "Vorkasse"}, seconds: []string{"web", "telefon", "filiale"}, thirds: []string{"Garten", "Werkzeug", "Farben", "Elektro", "Holz"}, note: "gutschein_code", flag: "storniert", mean: 74, spread: 0.75, perDay: 28},
}

// plant names an effect that a world may have.
type plant string

const (
	noPlant        plant = "noise"
	dropPlant      plant = "drop"
	shiftPlant     plant = "segment shift"
	breakPlant     plant = "trend break"
	outlierPlant   plant = "outlier"
	nullPlant      plant = "null spike"
	retentionPlant plant = "retention change"
	simpsonPlant   plant = "Simpson's paradox"
)

var plants = []plant{dropPlant, shiftPlant, breakPlant, outlierPlant, nullPlant, retentionPlant, simpsonPlant}

// happening is a row of the table of events, before it is written.
type happening struct {
	at, done             time.Time
	owner                int
	first, second, third string
	amount               float64
	units                int
	note                 any
	flag                 bool
}

// provingWorld is a made-up organisation with the one effect that is planted in it.
type provingWorld struct {
	grown
	t         trade
	plant     plant
	table     string
	since     time.Time // the first day of the effect; zero if it has none
	column    string    // of the segment; empty for the whole table
	value     string
	others    []string // other values that may be named in its place
	happened  []happening
	regionOf  []string
	kindOf    []string
	r         *rand.Rand
	begin     time.Time
	days      int
	weekly    [7]float64
	yearPhase float64
	yearSwing float64
	growth    float64 // of the volume per year
	turnDay   int
}

// newProvingWorld makes the world of a seed.
func newProvingWorld(p plant, seed uint64) *provingWorld {
	r := rand.New(rand.NewPCG(seed, uint64(len(p))*7919+uint64(p[0])))
	w := &provingWorld{t: trades[r.IntN(len(trades))], plant: p, r: r}
	w.table = "w." + w.t.events
	w.begin = time.Date(2022+r.IntN(3), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
	w.days = 540 + r.IntN(420)
	weekend := 0.3 + 0.6*r.Float64()
	for d := range w.weekly {
		w.weekly[d] = 0.9 + 0.2*r.Float64()
		if d == 0 || d == 6 {
			w.weekly[d] *= weekend
		}
	}
	w.yearPhase, w.yearSwing, w.growth = 2*math.Pi*r.Float64(), 0.05+0.15*r.Float64(), 0.9+0.3*r.Float64()
	w.turnDay = int(float64(w.days) * (0.55 + 0.2*r.Float64()))
	w.owners()
	w.happen()
	w.write()
	w.slow()
	return w
}

// skewed are weights of n values, none below a twentieth of the first.
func (w *provingWorld) skewed(n int) []float64 {
	out, sum := make([]float64, n), 0.0
	for i := range out {
		out[i] = 1 / (1 + float64(i)*(0.2+0.4*w.r.Float64()))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	w.r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// pick takes one of the values by their weights.
func (w *provingWorld) pick(of []string, weights []float64) string {
	x := w.r.Float64()
	for i, p := range weights {
		if x -= p; x < 0 {
			return of[i]
		}
	}
	return of[len(of)-1]
}

// owners makes those who are served.
func (w *provingWorld) owners() {
	t := grownTable{name: w.t.owners, columns: []catalog.Column{key(w.t.owner, "bigint"), col(w.t.since, "date"), col(w.t.region, "text"), col(w.t.kind, "text")}}
	regions, kinds := w.skewed(len(w.t.regions)), w.skewed(len(w.t.kinds))
	n := 900 + w.r.IntN(900)
	for i := range n {
		region, kind := w.pick(w.t.regions, regions), w.pick(w.t.kinds, kinds)
		w.regionOf, w.kindOf = append(w.regionOf, region), append(w.kindOf, kind)
		t.rows = append(t.rows, []any{int64(i + 1), w.begin.AddDate(0, 0, -w.r.IntN(900)), region, kind})
	}
	w.tables = append(w.tables, t)
}

// volume is how many things are expected to happen on a day.
func (w *provingWorld) volume(day int) float64 {
	at := w.begin.AddDate(0, 0, day)
	v := w.t.perDay * w.weekly[at.Weekday()] * (1 + w.yearSwing*math.Sin(2*math.Pi*float64(at.YearDay())/365+w.yearPhase))
	return v * math.Pow(w.growth, float64(day)/365)
}

// count draws how many things happen: more restless than chance alone, as in life.
func (w *provingWorld) count(mean float64) int {
	mean *= math.Exp(0.12*w.r.NormFloat64() - 0.0072)
	n := int(math.Round(mean + math.Sqrt(math.Max(mean, 0))*w.r.NormFloat64()))
	return max(n, 0)
}

// happen makes what happens, and plants the effect.
func (w *provingWorld) happen() {
	t := &w.t
	firsts, seconds, thirds := w.skewed(len(t.firsts)), w.skewed(len(t.seconds)), w.skewed(len(t.thirds))
	change := w.setUp(firsts, thirds)
	if w.plant == retentionPlant {
		w.visits(firsts, seconds, thirds)
		return
	}
	for day := range w.days {
		volume := w.volume(day)
		if w.plant == breakPlant && day >= w.turnDay {
			volume *= math.Exp(change * float64(day-w.turnDay) / 365)
		}
		for range w.count(volume) {
			h := w.one(day, w.pick(t.firsts, firsts), w.pick(t.seconds, seconds), w.pick(t.thirds, thirds))
			if w.alter(day, &h, change) {
				w.happened = append(w.happened, h)
			}
		}
	}
	if w.plant == outlierPlant {
		h := &w.happened[w.r.IntN(len(w.happened))]
		sum := 0.0
		for _, x := range w.happened {
			sum += x.amount
		}
		h.amount = math.Round(sum*(0.06+0.15*w.r.Float64())*100) / 100
	}
}

// one makes a usual event.
func (w *provingWorld) one(day int, first, second, third string) happening {
	h := happening{owner: w.r.IntN(len(w.regionOf)), first: first, second: second, third: third, units: 1 + int(w.r.ExpFloat64()*3), flag: w.r.Float64() < 0.07}
	h.at = w.begin.AddDate(0, 0, day).Add(time.Duration(7*3600+w.r.IntN(14*3600)) * time.Second)
	h.done = h.at.Add(time.Duration((0.3 + w.r.ExpFloat64()*2) * float64(24*time.Hour)))
	h.amount = math.Round(w.t.mean*math.Exp(w.t.spread*w.r.NormFloat64()-w.t.spread*w.t.spread/2)*100) / 100
	if w.r.Float64() > 0.03 {
		h.note = fmt.Sprintf("%c%05d", 'A'+rune(w.r.IntN(20)), w.r.IntN(100_000))
	}
	return h
}

// setUp chooses where the effect is, and how large.
func (w *provingWorld) setUp(firsts, thirds []float64) float64 {
	largest := func(of []string, weights []float64, least, most float64) string { // one whose share is between the bounds, else any
		for range 50 {
			if i := w.r.IntN(len(of)); weights[i] >= least && weights[i] <= most {
				return of[i]
			}
		}
		return of[0]
	}
	day := func() time.Time { return w.begin.AddDate(0, 0, w.turnDay) }
	switch w.plant {
	case dropPlant:
		w.column, w.since = w.t.third, day()
		w.value = largest(w.t.thirds, thirds, 0.1, 0.4)
		if w.r.IntN(3) == 0 {
			w.column, w.value = w.t.region, w.t.regions[w.r.IntN(len(w.t.regions))]
		}
		return 0.4 + 0.3*w.r.Float64() // of them are missing
	case shiftPlant:
		w.column, w.since = w.t.first, day()
		w.value = largest(w.t.firsts, firsts, 0.15, 0.6)
		for _, v := range w.t.firsts {
			if v != w.value {
				w.others = append(w.others, v)
			}
		}
		return 0.35 + 0.3*w.r.Float64() // of them move to another
	case breakPlant:
		w.since = day()
		return -(0.9 + 0.8*w.r.Float64()) // per year
	case nullPlant:
		w.column, w.since = w.t.note, day()
		return 0.25 + 0.4*w.r.Float64() // of them are empty
	case retentionPlant:
		w.since = day()
	case simpsonPlant:
		w.column = w.t.second
	}
	return 0
}

// alter plants the effect in an event, and reports whether the event happens at all.
func (w *provingWorld) alter(day int, h *happening, change float64) bool {
	after := day >= w.turnDay
	switch w.plant {
	case dropPlant:
		in := h.third == w.value
		if w.column == w.t.region {
			in = w.regionOf[h.owner] == w.value
		}
		return !(in && after && w.r.Float64() < change)
	case shiftPlant:
		if after && h.first == w.value && w.r.Float64() < change {
			h.first = w.others[0]
		}
	case nullPlant:
		if after && day < w.turnDay+60 && w.r.Float64() < change {
			h.note = nil
		}
	case simpsonPlant:
		// The first of the seconds gets the hard thirds; within each it does better.
		hard := 0.0
		for i, v := range w.t.thirds {
			if v == h.third {
				hard = float64(i) / float64(len(w.t.thirds)-1)
			}
		}
		h.second = w.t.seconds[1]
		if w.r.Float64() < 0.12+0.76*hard {
			h.second = w.t.seconds[0]
		}
		p := 0.06 + 0.30*hard
		if h.second == w.t.seconds[0] {
			p -= 0.045
		}
		h.flag = w.r.Float64() < p
	}
	return true
}

// visits makes events of people who come back, or less so from a day on.
func (w *provingWorld) visits(firsts, seconds, thirds []float64) {
	w.regionOf, w.kindOf = nil, nil
	owners := &w.tables[0]
	owners.rows = nil
	before, after := 0.55+0.1*w.r.Float64(), 0.25+0.1*w.r.Float64()
	for day := range w.days {
		for range w.count(w.volume(day) / 3) {
			id := len(owners.rows)
			w.regionOf, w.kindOf = append(w.regionOf, w.t.regions[w.r.IntN(len(w.t.regions))]), append(w.kindOf, w.t.kinds[w.r.IntN(len(w.t.kinds))])
			owners.rows = append(owners.rows, []any{int64(id + 1), w.begin.AddDate(0, 0, day), w.regionOf[id], w.kindOf[id]})
			again := before
			if day >= w.turnDay {
				again = after
			}
			for at := day; at < w.days; {
				h := w.one(at, w.pick(w.t.firsts, firsts), w.pick(w.t.seconds, seconds), w.pick(w.t.thirds, thirds))
				h.owner = id
				w.happened = append(w.happened, h)
				if w.r.Float64() > again {
					break
				}
				at += 2 + w.r.IntN(22)
			}
		}
	}
}

// write writes the table of events.
func (w *provingWorld) write() {
	t := w.t
	table := grownTable{name: t.events, foreign: []catalog.Foreign{{Columns: []string{t.ref}, Table: "w." + t.owners, To: []string{t.owner}}},
		columns: []catalog.Column{key(t.event, "bigint"), col(t.ref, "bigint"), col(t.at, "timestamp"), col(t.done, "timestamp"), col(t.first, "text"), col(t.second, "text"), col(t.third, "text"),
			col(t.amount, "numeric(14,2)"), col(t.units, "integer"), col(t.note, "text"), col(t.flag, "boolean")}}
	for i, h := range w.happened {
		table.rows = append(table.rows, []any{int64(1000 + i), int64(h.owner + 1), h.at, h.done, h.first, h.second, h.third, fmt.Sprintf("%.2f", h.amount), int64(h.units), h.note, h.flag})
	}
	w.tables = append(w.tables, table)
}

// slowTable is wide, and answers no question in time.
const slowTable = "telemetry_export"

func (w *provingWorld) slow() {
	table := grownTable{name: slowTable, columns: []catalog.Column{key("export_id", "bigint"), col("exported_at", "timestamp")}}
	for i := range 90 {
		table.columns = append(table.columns, col(fmt.Sprintf("%s_%02d", []string{"sensor_value", "status_code", "region_tag"}[i%3], i), []string{"double precision", "integer", "text"}[i%3]))
	}
	for n := range 250 {
		row := []any{int64(n), w.begin.AddDate(0, 0, n)}
		for i := range 90 {
			row = append(row, []any{float64(n * i), int64(n % 7), "r"}[i%3])
		}
		table.rows = append(table.rows, row)
	}
	w.tables = append(w.tables, table)
}
