package insight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"quaestor/research/warehouse/catalog"
)

// house is how one organisation writes down what happens: every row is one thing that somebody did.
type house struct {
	table, key, who, at       string
	group, way, place         string // columns that group
	amount, size, note, ended string
	groups, ways, places      []string
	outcome                   func(bad bool) any
	outcomeType, whoType      string
	keyOf, whoOf              func(n int) any
	perVisit                  int // rows of one visit, at most
	members                   [3]string
	mean, perDay              float64
}

func number64(n int) any { return int64(n) }

// houses have events without a table of people, German names in camel case, and states in words.
var houses = []house{
	{table: "app_events", key: "event_uuid", who: "user_key", at: "occurred_at", group: "platform", way: "event_name", place: "country", amount: "duration_ms", size: "items", note: "experiment_key", ended: "is_error",
		groups: []string{"ios", "android", "web"}, ways: []string{"screen_view", "search", "add_to_cart", "purchase", "share"}, places: []string{"US", "GB", "IN", "BR", "MX", "JP"},
		outcome: func(bad bool) any { return bad }, outcomeType: "boolean", whoType: "text", keyOf: func(n int) any { return fmt.Sprintf("e-%08x", n*2654435761&0xffffffff) }, whoOf: func(n int) any { return fmt.Sprintf("u_%06d", n) }, perVisit: 4, mean: 1800, perDay: 11},
	{table: "Kursbuchungen", key: "BuchungsNr", who: "MitgliedsNr", at: "GebuchtAm", group: "KursArt", way: "Buchungsweg", place: "Studio", amount: "Preis", size: "AnzahlPlaetze", note: "Aktionscode", ended: "Teilgenommen",
		groups: []string{"Yoga", "Pilates", "Spinning", "Boxen", "Aqua"}, ways: []string{"App", "Telefon", "Empfang"}, places: []string{"Mitte", "Nord", "Hafen", "Altstadt"},
		outcome: func(bad bool) any {
			if bad {
				return "N"
			}
			return "J"
		}, outcomeType: "text", whoType: "bigint", keyOf: number64, whoOf: number64, perVisit: 1, members: [3]string{"Mitglieder", "Tarif", "Wohnort"}, mean: 18, perDay: 22},
	{table: "ride_trips", key: "trip_id", who: "rider_ref", at: "requested_at", group: "vehicle_type", way: "payment_kind", place: "pickup_zone", amount: "fare_amount", size: "distance_km", note: "promo_code", ended: "trip_status",
		groups: []string{"bike", "scooter", "car"}, ways: []string{"wallet", "card", "subscription", "voucher"}, places: []string{"airport", "campus", "centre", "docks", "stadium"},
		outcome: func(bad bool) any {
			if bad {
				return "cancelled"
			}
			return "completed"
		}, outcomeType: "text", whoType: "text", keyOf: number64, whoOf: func(n int) any { return fmt.Sprintf("R%05d", n) }, perVisit: 1, mean: 9, perDay: 24},
}

// freshWorld is an organisation with at most one effect, of rows that are no orders.
type freshWorld struct {
	grown
	plant   plant
	table   string
	since   time.Time
	columns []string // of the segment, of which a finding names one
	values  []string // and their values, if it names one
	begin   time.Time
	days    int
	turn    int
	r       *rand.Rand
}

// newFreshWorld makes the world of a seed: of one row per shop and week, or of one per event.
func newFreshWorld(p plant, seed uint64) *freshWorld {
	r := rand.New(rand.NewPCG(seed*31+7, uint64(len(p))*104729+uint64(p[0])))
	w := &freshWorld{plant: p, r: r}
	w.begin = time.Date(2021+r.IntN(4), time.Month(1+r.IntN(12)), 1+r.IntN(27), 0, 0, 0, 0, time.UTC)
	w.days = 450 + r.IntN(500)
	if p == breakPlant { // in less than two years a season cannot be told from a break
		w.days += 290
	}
	w.turn = int(float64(w.days) * (0.5 + 0.25*r.Float64()))
	if n := r.IntN(len(houses) + 1); n < len(houses) {
		w.events(&houses[n])
	} else if p == retentionPlant { // weeks of shops do not come back
		w.events(&houses[r.IntN(len(houses))])
	} else {
		w.weeks()
	}
	return w
}

// uneven are weights of n values.
func (w *freshWorld) uneven(n int) []float64 {
	out, sum := make([]float64, n), 0.0
	for i := range out {
		out[i] = 0.5 + w.r.Float64()
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

func (w *freshWorld) draw(weights []float64) int {
	x := w.r.Float64()
	for i, p := range weights {
		if x -= p; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// act is one row of a house.
type act struct {
	at                time.Time
	who               int
	group, way, place int
	amount            float64
	size              int
	note, bad         bool
}

// opened is how many days before the first record people began to come.
const opened = 150

// events makes the rows of a house.
func (w *freshWorld) events(h *house) {
	w.table = "w." + h.table
	r := w.r
	groups, ways, places := w.uneven(len(h.groups)), w.uneven(len(h.ways)), w.uneven(len(h.places))
	swing, phase, growth := 0.2*r.Float64(), 2*math.Pi*r.Float64(), -0.1+0.4*r.Float64()
	weekend := 0.5 + 0.8*r.Float64()
	again, less := 0.5+0.12*r.Float64(), 0.0
	if w.plant == retentionPlant {
		less = 0.2 + 0.12*r.Float64()
	}
	size := 0.4 + 0.25*r.Float64()
	slope := -(1 + 0.6*r.Float64())
	target, other := r.IntN(len(h.groups)), 0
	if other == target {
		other = 1
	}
	var all []act
	people := 0
	for day := -opened; day < w.days; day++ {
		date := w.begin.AddDate(0, 0, day)
		mean := h.perDay * (1 + swing*math.Sin(2*math.Pi*float64(date.YearDay())/365.25+phase)) * (1 + growth*float64(day)/365) / 2.2
		if d := date.Weekday(); d == time.Saturday || d == time.Sunday {
			mean *= weekend
		}
		for range max(0, int(math.Round(mean*(1+0.1*r.NormFloat64())+math.Sqrt(mean)*r.NormFloat64()))) {
			people++
			stay := again
			if day >= w.turn {
				stay -= less
			}
			group, place := w.draw(groups), w.draw(places) // people keep to what they like
			for at := day; at < w.days; at += 1 + r.IntN(20) {
				start := w.begin.AddDate(0, 0, at).Add(time.Duration(6*3600+r.IntN(17*3600)) * time.Second)
				for n := range 1 + r.IntN(h.perVisit) {
					a := act{at: start.Add(time.Duration(n*40) * time.Second), who: people, group: group, way: w.draw(ways), place: place, size: 1 + r.IntN(6), note: r.Float64() < 0.6, bad: r.Float64() < 0.12}
					a.amount = math.Round(h.mean*math.Exp(0.6*r.NormFloat64())*100) / 100
					if at >= 0 && w.changed(&a, h, at >= w.turn, at-w.turn, target, other, size, slope) {
						all = append(all, a)
					}
				}
				if r.Float64() > stay {
					break
				}
			}
		}
	}
	w.name(h, target, other)
	w.record(h, all)
}

// changed plants the effect in a row, and reports whether there is the row at all.
func (w *freshWorld) changed(a *act, h *house, after bool, since, target, other int, size, slope float64) bool {
	r := w.r
	switch w.plant {
	case dropPlant:
		return !(after && a.group == target && r.Float64() < size)
	case breakPlant:
		return !after || r.Float64() < math.Exp(slope*float64(since)/365)
	case shiftPlant:
		if after && a.group == target && r.Float64() < size {
			a.group = other
		}
	case nullPlant:
		if after && since < 70 && r.Float64() < 0.6 {
			a.note = false
		}
	case simpsonPlant:
		hard := float64(a.place) / float64(len(h.places)-1)
		first := r.Float64() < 0.15+0.7*hard
		a.way = 1
		if first {
			a.way = 0
		}
		p := 0.08 + 0.3*hard
		if first {
			p -= 0.05
		}
		a.bad = r.Float64() < p
	}
	return true
}

// name says where the effect is.
func (w *freshWorld) name(h *house, target, other int) {
	switch w.plant {
	case dropPlant:
		w.columns, w.values = []string{h.group}, []string{h.groups[target]}
	case shiftPlant:
		w.columns, w.values = []string{h.group}, []string{h.groups[target], h.groups[other]}
	case nullPlant:
		w.columns = []string{h.note}
	case simpsonPlant:
		w.columns = []string{h.way}
	case outlierPlant:
		w.columns = []string{h.amount}
	}
	if w.plant != simpsonPlant && w.plant != outlierPlant && w.plant != noPlant {
		w.since = w.begin.AddDate(0, 0, w.turn)
	}
}

// record writes what happened as rows of the house's tables.
func (w *freshWorld) record(h *house, all []act) {
	slices.SortStableFunc(all, func(a, b act) int { return a.at.Compare(b.at) })
	if w.plant == outlierPlant {
		sum := 0.0
		for _, a := range all {
			sum += a.amount
		}
		all[w.r.IntN(len(all))].amount = math.Round(sum * (0.05 + 0.2*w.r.Float64()))
	}
	t := grownTable{name: h.table, columns: []catalog.Column{key(h.key, typeOf(h.keyOf(1))), col(h.who, h.whoType), col(h.at, "timestamp"), col(h.group, "text"), col(h.way, "text"), col(h.place, "text"),
		col(h.amount, "double precision"), col(h.size, "integer"), col(h.note, "text"), col(h.ended, h.outcomeType)}}
	people := 0
	for i, a := range all {
		var note any
		if a.note {
			note = fmt.Sprintf("%c%d", 'K'+rune(i%7), i%900)
		}
		people = max(people, a.who)
		t.rows = append(t.rows, []any{h.keyOf(i + 1), h.whoOf(a.who), a.at, h.groups[a.group], h.ways[a.way], h.places[a.place], a.amount, int64(a.size), note, h.outcome(a.bad)})
	}
	if h.members[0] != "" {
		t.foreign = []catalog.Foreign{{Columns: []string{h.who}, Table: "w." + h.members[0], To: []string{h.who}}}
		m := grownTable{name: h.members[0], columns: []catalog.Column{key(h.who, h.whoType), col(h.members[1], "text"), col(h.members[2], "text")}}
		for n := range people {
			m.rows = append(m.rows, []any{h.whoOf(n + 1), []string{"Basis", "Plus", "Premium"}[w.r.IntN(3)], []string{"Kiel", "Jena", "Ulm", "Trier"}[w.r.IntN(4)]})
		}
		w.tables = append(w.tables, m)
	}
	w.tables = append(w.tables, t)
}

func typeOf(v any) string {
	if _, ok := v.(string); ok {
		return "text"
	}
	return "bigint"
}

// weeks makes the figures of shops, one row for each shop and week.
func (w *freshWorld) weeks() {
	r := w.r
	formats, cities := []string{"express", "city", "hyper"}, []string{"Lyon", "Turin", "Porto", "Gent", "Graz", "Brno"}
	shops := grownTable{name: "shops", columns: []catalog.Column{key("shopId", "bigint"), col("shopFormat", "text"), col("shopCity", "text"), col("openedOn", "date")}}
	facts := grownTable{name: "shopWeeks", foreign: []catalog.Foreign{{Columns: []string{"shopId"}, Table: "w.shops", To: []string{"shopId"}}},
		columns: []catalog.Column{col("shopId", "bigint"), col("weekStart", "date"), col("netSales", "double precision"), col("visitors", "integer"), col("staffHours", "double precision"), col("campaign", "text"), col("auditor", "text"), col("targetMet", "boolean")}}
	w.table, w.columns = "w.shopWeeks", []string{"shopFormat"}
	n, count := 60+r.IntN(50), w.days/7
	turn := w.turn / 7
	w.begin = w.begin.AddDate(0, 0, -(int(w.begin.Weekday())+6)%7)
	target, size, slope := r.IntN(3), 0.35+0.25*r.Float64(), -(0.9 + 0.6*r.Float64())
	swing, phase := 0.15*r.Float64(), 2*math.Pi*r.Float64()
	var level []float64
	var format []int
	for i := range n {
		f := i % 3
		format, level = append(format, f), append(level, []float64{12, 25, 48}[f]*1000*math.Exp(0.3*r.NormFloat64()))
		shops.rows = append(shops.rows, []any{int64(i + 1), formats[f], cities[r.IntN(len(cities))], w.begin.AddDate(0, 0, -100-r.IntN(3000))})
	}
	sum := 0.0
	for week := range count {
		at := w.begin.AddDate(0, 0, 7*week)
		all := (1 + swing*math.Sin(2*math.Pi*float64(week)/52.18+phase)) * math.Exp(0.03*r.NormFloat64())
		if w.plant == breakPlant && week >= turn {
			all *= math.Exp(slope * float64(week-turn) / 52.18)
		}
		for i := range n {
			sales := level[i] * all * math.Exp(0.15*r.NormFloat64())
			if after := week >= turn; after && w.plant == dropPlant && format[i] == target {
				sales *= 1 - size
			} else if after && w.plant == shiftPlant && format[i] == 2 {
				sales *= 1 - size
			} else if after && w.plant == shiftPlant && format[i] == 1 {
				sales *= 1 + size*1.9
			}
			campaign, met := []string{"none", "flyer"}[r.IntN(2)], r.Float64() < 0.7
			if w.plant == simpsonPlant {
				hard := float64(format[i]) / 2
				campaign = "none"
				p := 0.85 - 0.5*hard
				if r.Float64() < 0.12+0.74*hard {
					campaign, p = "flyer", p+0.09
				}
				met = r.Float64() < p
			}
			var auditor any = fmt.Sprintf("A%02d", r.IntN(60))
			if w.plant == nullPlant && week >= turn && week < turn+12 && r.Float64() < 0.5 {
				auditor = nil
			}
			sum += sales
			facts.rows = append(facts.rows, []any{int64(i + 1), at, math.Round(sales*100) / 100, int64(sales / 17 * math.Exp(0.1*r.NormFloat64())), math.Round(sales / 90), campaign, auditor, met})
		}
	}
	if w.plant == outlierPlant {
		facts.rows[r.IntN(len(facts.rows))][2] = math.Round(sum * (0.05 + 0.2*r.Float64()))
	}
	switch w.plant {
	case dropPlant:
		w.values = []string{formats[target]}
	case shiftPlant:
		w.values = []string{"hyper", "city"}
	case nullPlant:
		w.columns = []string{"auditor"}
	case simpsonPlant:
		w.columns = []string{"campaign"}
	case outlierPlant:
		w.columns = []string{"netSales"}
	case breakPlant, noPlant:
		w.columns = nil
	}
	if w.plant != simpsonPlant && w.plant != outlierPlant && w.plant != noPlant {
		w.since = w.begin.AddDate(0, 0, 7*turn)
	}
	w.tables = append(w.tables, shops, facts)
}
