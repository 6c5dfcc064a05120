package insight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"quaestor/research/warehouse/catalog"
)

// grown is a made-up warehouse: tables with their rows.
type grown struct {
	tables []grownTable
}

type grownTable struct {
	name    string
	columns []catalog.Column // with types that PostgreSQL and DuckDB share
	foreign []catalog.Foreign
	rows    [][]any
}

// field names that differ from one made-up business to another.
type business struct {
	name                                          string
	people, person, country, tier                 string
	items, item, category, brand                  string
	deals, deal, at, amount, channel, contact     string
	sent, site, units                             string
	countries, categories, channels, sites, tiers []string
	calls, callAt, topic                          string
	visits, visitAt                               string
	runs, carrier, zone, late                     string
	carriers, zones                               []string
}

var businesses = []business{
	{name: "shop", people: "customers", person: "customer_id", country: "country", tier: "segment", items: "products", item: "product_id", category: "category", brand: "brand",
		deals: "orders", deal: "order_id", at: "placed_at", amount: "total_amount", channel: "channel", contact: "coupon_code", sent: "shipped_at", site: "store_city", units: "quantity",
		countries: []string{"DE", "FR", "IT", "ES", "PL", "NL"}, categories: []string{"toys", "books", "garden", "food", "music", "sports"}, channels: []string{"web", "app", "store"},
		sites: []string{"Berlin", "Paris", "Rome", "Madrid"}, tiers: []string{"retail", "wholesale"}, calls: "tickets", callAt: "opened_at", topic: "topic", visits: "bookings", visitAt: "booked_at",
		runs: "deliveries", carrier: "carrier", zone: "zone", late: "is_late", carriers: []string{"Swift", "Steady"}, zones: []string{"near", "far", "remote"}},
	{name: "clinic", people: "patients", person: "patient_id", country: "district", tier: "insurance", items: "treatments", item: "treatment_id", category: "specialty", brand: "method",
		deals: "appointments", deal: "appointment_no", at: "scheduled_on", amount: "billed_amount", channel: "booking_channel", contact: "referral_code", sent: "discharged_at", site: "ward", units: "minutes",
		countries: []string{"North", "South", "East", "West"}, categories: []string{"cardiology", "surgery", "dental", "imaging", "therapy"}, channels: []string{"phone", "online", "walk-in", "referral"},
		sites: []string{"A1", "A2", "B1"}, tiers: []string{"public", "private", "self"}, calls: "alarms", callAt: "raised_at", topic: "alarm_type", visits: "checkups", visitAt: "seen_at",
		runs: "operations", carrier: "surgeon_team", zone: "case_severity", late: "has_complication", carriers: []string{"Blue", "Green"}, zones: []string{"mild", "grave"}},
	{name: "saas", people: "accounts", person: "account_id", country: "region", tier: "plan", items: "features", item: "feature_id", category: "module", brand: "release",
		deals: "invoices", deal: "invoice_id", at: "issued_at", amount: "revenue", channel: "payment_method", contact: "campaign", sent: "paid_at", site: "datacenter", units: "seats",
		countries: []string{"emea", "apac", "amer", "latam", "nordics"}, categories: []string{"billing", "search", "chat", "reports", "sync", "audit", "api"}, channels: []string{"card", "invoice", "wallet"},
		sites: []string{"fra", "iad", "sin"}, tiers: []string{"free", "pro", "team", "enterprise"}, calls: "incidents", callAt: "detected_at", topic: "component", visits: "logins", visitAt: "logged_in_at",
		runs: "deployments", carrier: "runner", zone: "complexity", late: "failed_flag", carriers: []string{"alpha", "beta"}, zones: []string{"small", "medium", "large"}},
}

// sizes of a made-up warehouse.
type size struct{ days, people, deals, calls, visits, runs int }

var usual = size{days: 730, people: 6000, deals: 80_000, calls: 20_000, visits: 14_000, runs: 14_000}

// effect is what was planted.
type effect struct {
	name, table string
	since       time.Time // zero if it has no beginning
	words       []string  // of segment and measure that its insight names
}

var origin = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// grow makes the warehouse of a business. Without effects it is noise alone, with a season, a
// week and groups of different sizes.
func grow(b business, z size, seed uint64, planted bool) (grown, []effect) {
	r := rand.New(rand.NewPCG(seed, 1))
	var g grown
	var effects []effect
	day := func(share float64) time.Time { return origin.AddDate(0, 0, int(share*float64(z.days))) }
	g.people(r, b, z)
	g.items(r, b)
	effects = append(effects, g.deals(r, b, z, planted, day)...)
	effects = append(effects, g.calls(r, b, z, planted, day)...)
	effects = append(effects, g.visits(r, b, z, planted, day)...)
	effects = append(effects, g.runs(r, b, z, planted)...)
	if !planted {
		effects = nil
	}
	return g, effects
}

func col(name, typ string) catalog.Column { return catalog.Column{Name: name, Type: typ} }
func key(name, typ string) catalog.Column {
	return catalog.Column{Name: name, Type: typ, Key: true, NotNull: true}
}

func pickOne(r *rand.Rand, of []string) string {
	if r.Float64() < 0.3 { // groups are of different sizes
		return of[0]
	}
	return of[r.IntN(len(of))]
}

const items = 60

func (g *grown) people(r *rand.Rand, b business, z size) {
	t := grownTable{name: b.people, columns: []catalog.Column{key("id", "bigint"), col("full_name", "text"), col(b.country, "text"), col(b.tier, "text"), col("postal_code", "integer"), col("birth_year", "integer")}}
	for i := range z.people {
		t.rows = append(t.rows, []any{int64(i + 1), fmt.Sprintf("Name %d", i), pickOne(r, b.countries), pickOne(r, b.tiers), int64(10000 + r.IntN(80000)), int64(1950 + r.IntN(50))})
	}
	g.tables = append(g.tables, t)
}

func (g *grown) items(r *rand.Rand, b business) {
	t := grownTable{name: b.items, columns: []catalog.Column{key("id", "bigint"), col("name", "text"), col(b.category, "text"), col(b.brand, "text")}}
	for i := range items {
		t.rows = append(t.rows, []any{int64(i + 1), fmt.Sprintf("Item %d", i), b.categories[i%len(b.categories)], string(rune('A' + i%4))})
	}
	g.tables = append(g.tables, t)
}

func foreign(column, table string) catalog.Foreign {
	return catalog.Foreign{Columns: []string{column}, Table: "w." + table, To: []string{"id"}}
}

// season is how busy a day is.
func season(d int) float64 {
	return (1 + 0.15*math.Sin(2*math.Pi*float64(d)/365.25)) * []float64{1, 1, 1.05, 1, 1.1, 0.8, 0.7}[d%7]
}

// someDay draws a day by the season.
func someDay(r *rand.Rand, days int) int {
	for {
		if d := r.IntN(days); r.Float64()*1.3 < season(d) {
			return d
		}
	}
}

func (g *grown) deals(r *rand.Rand, b business, z size, planted bool, day func(float64) time.Time) []effect {
	t := grownTable{name: b.deals, columns: []catalog.Column{key(b.deal, "bigint"), col(b.person, "bigint"), col(b.item, "bigint"), col(b.at, "timestamp"), col(b.amount, "double precision"), col(b.units, "integer"),
		col(b.channel, "text"), col(b.site, "text"), col(b.contact, "text"), col(b.sent, "timestamp"), col("noise_group", "text"), col("noise_value", "double precision"), col("zip", "integer")},
		foreign: []catalog.Foreign{foreign(b.person, b.people), foreign(b.item, b.items)}}
	drop, shift, gap, slow := day(0.62), day(0.45), day(0.70), day(0.55)
	country, category, channel, site := b.countries[1], b.categories[2], b.channels[1], b.sites[1]
	for id := int64(1); len(t.rows) < z.deals; id++ {
		at := origin.AddDate(0, 0, someDay(r, z.days)).Add(time.Duration(r.IntN(86400)) * time.Second)
		person, item := 1+r.IntN(z.people), 1+r.IntN(items)
		if planted && at.After(drop) && g.tables[0].rows[person-1][2] == country && g.tables[1].rows[item-1][2] == category && r.Float64() < 0.65 {
			continue
		}
		ch := pickOne(r, b.channels)
		if planted && at.After(shift) && ch != channel && r.Float64() < 0.35 {
			ch = channel
		}
		in := pickOne(r, b.sites)
		var contact, sent any = fmt.Sprintf("C%d", r.IntN(5000)), at.Add(time.Duration((0.5 + 4*r.Float64()) * float64(24*time.Hour)))
		if r.Float64() < 0.05 || planted && in == site && at.After(gap) && at.Before(gap.AddDate(0, 0, 40)) && r.Float64() < 0.5 {
			contact = nil
		}
		if r.Float64() < 0.08 || planted && ch == b.channels[0] && at.After(slow) && r.Float64() < 0.18 {
			sent = nil
		}
		t.rows = append(t.rows, []any{id, int64(person), int64(item), at, math.Round(100*math.Exp(3.5+0.6*r.NormFloat64())) / 100, int64(1 + r.IntN(5)), ch, in, contact, sent,
			string(rune('a' + r.IntN(8))), 50 + 10*r.NormFloat64(), int64(10000 + r.IntN(90000))})
	}
	if planted {
		t.rows[len(t.rows)/2][4] = 900_000.0
	}
	g.tables = append(g.tables, t)
	return []effect{{"drop", b.deals, drop, []string{country, category}}, {"segment_shift", b.deals, shift, []string{channel}}, {"outlier_record", b.deals, time.Time{}, []string{spoken(b.amount)}},
		{"null_spike", b.deals, gap, []string{spoken(b.contact), site}}, {"date_rate", b.deals, slow, []string{spoken(b.sent), b.channels[0]}}}
}

func spoken(s string) string { return strings.ReplaceAll(s, "_", " ") }

func (g *grown) calls(r *rand.Rand, b business, z size, planted bool, day func(float64) time.Time) []effect {
	t := grownTable{name: b.calls, columns: []catalog.Column{key("id", "bigint"), col(b.callAt, "timestamp"), col(b.topic, "text"), col("noise_kind", "text"), col("wait_minutes", "double precision")}}
	turn := day(0.6)
	for len(t.rows) < z.calls {
		d := r.IntN(z.days)
		level := 1.0
		if x := float64(d) / float64(z.days); planted && x < 0.6 {
			level = 0.5 + x/1.2
		} else if planted {
			level = 1 - (x-0.6)*1.6
		}
		if r.Float64()*1.3 > level*season(d)/1.15 {
			continue
		}
		at := origin.AddDate(0, 0, d).Add(time.Duration(r.IntN(86400)) * time.Second)
		t.rows = append(t.rows, []any{int64(len(t.rows) + 1), at, string(rune('p' + r.IntN(4))), string(rune('u' + r.IntN(5))), 5 + 3*r.ExpFloat64()})
	}
	g.tables = append(g.tables, t)
	return []effect{{"trend_break", b.calls, turn, nil}}
}

func (g *grown) visits(r *rand.Rand, b business, z size, planted bool, day func(float64) time.Time) []effect {
	t := grownTable{name: b.visits, columns: []catalog.Column{key("id", "bigint"), col(b.person, "bigint"), col(b.visitAt, "timestamp"), col("noise_device", "text")}, foreign: []catalog.Foreign{foreign(b.person, b.people)}}
	less := day(0.55)
	for person := 0; len(t.rows) < z.visits && person < z.people; person++ {
		at := origin.AddDate(0, 0, r.IntN(z.days)).Add(time.Duration(r.IntN(86400)) * time.Second)
		again := 0.55
		if planted && at.After(less) {
			again = 0.3
		}
		end := origin.AddDate(0, 0, z.days)
		for at.Before(end) {
			t.rows = append(t.rows, []any{int64(len(t.rows) + 1), int64(person + 1), at, string(rune('k' + r.IntN(3)))})
			if r.Float64() > again {
				break
			}
			at = at.Add(time.Duration((2 + 24*r.Float64()) * float64(24*time.Hour)))
		}
	}
	g.tables = append(g.tables, t)
	return []effect{{"retention_change", b.visits, less, nil}}
}

// runs are done by two carriers in zones of different difficulty. The better one gets the hard
// ones, so that it looks worse over all.
func (g *grown) runs(r *rand.Rand, b business, z size, planted bool) []effect {
	t := grownTable{name: b.runs, columns: []catalog.Column{key("id", "bigint"), col(b.carrier, "text"), col(b.zone, "text"), col(b.late, "boolean"), col("run_date", "date"), col("noise_letter", "text")}}
	for i := range z.runs {
		zone := r.IntN(len(b.zones))
		p := 0.10 + 0.22*float64(zone)
		carrier := b.carriers[r.IntN(2)]
		if planted {
			carrier = b.carriers[0]
			if r.Float64() < 0.15+0.7*float64(zone)/float64(len(b.zones)-1) {
				carrier = b.carriers[1]
			}
			if carrier == b.carriers[1] {
				p -= 0.05
			}
		}
		t.rows = append(t.rows, []any{int64(i + 1), carrier, b.zones[zone], r.Float64() < p, origin.AddDate(0, 0, r.IntN(z.days)), string(rune('m' + r.IntN(4)))})
	}
	g.tables = append(g.tables, t)
	return []effect{{"simpson", b.runs, time.Time{}, []string{b.carriers[0], b.carriers[1], spoken(b.zone)}}}
}

// catalog is what a warehouse with these tables says of itself.
func (g grown) catalog() *catalog.Index {
	var out []catalog.Table
	for _, t := range g.tables {
		out = append(out, catalog.Table{Schema: "w", Name: t.name, Rows: int64(len(t.rows)), Columns: t.columns, Foreign: t.foreign})
	}
	return catalog.NewIndex(out)
}
