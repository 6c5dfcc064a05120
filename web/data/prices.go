package data

import (
	"cmp"
	"net/http"
	"strconv"

	"quaestor/research/warehouse/prices"
	"quaestor/web"
	"quaestor/web/ui"
)

// PricesView is what [Prices] shows.
type PricesView struct {
	Nav     ui.Nav
	Notice  string
	Failure string
	Form    ui.FormView

	Rows []PriceRow
}

// PriceRow is a model or a warehouse with its price.
type PriceRow struct {
	Name  string // for people
	Price prices.Price
	Set   bool // a price is set by the organisation
	Known bool // a price holds: its own, or that of the operator
}

// of names the row in forms.
func (p PriceRow) of() string { return cmp.Or(p.Price.Model, p.Price.Warehouse) }

// fields are the numbers of a price.
func (p PriceRow) fields() []ui.FormField {
	field := func(name, label string, value float64) ui.FormField {
		text := ""
		if p.Known {
			text = strconv.FormatFloat(value, 'f', -1, 64)
		}
		return ui.FormField{Form: p.of(), Name: name, Label: label, Value: text, Mode: "decimal", Longest: 20, ID: "price-" + name}
	}
	if p.Price.Model != "" {
		return []ui.FormField{field("in", "A million tokens in", p.Price.In), field("cached", "A million of those, cached", p.Price.Cached), field("out", "A million tokens out", p.Price.Out)}
	}
	return []ui.FormField{field("terabyte", "A terabyte scanned", p.Price.Terabyte), field("hour", "An hour of queries", p.Price.Hour)}
}

// state tells whether a price is set.
func (p PriceRow) state() string {
	switch {
	case p.Set:
		return "Set by " + p.Price.ChangedBy + " on " + p.Price.ChangedAt.UTC().Format("2 January 2006") + "."
	case p.Known:
		return "Set by the operator of this server."
	}
	return "No price is set."
}

// pricesView lists the models and warehouses of the organisation, and whatever else has a price.
func (s *Handlers) pricesView(r *http.Request) (PricesView, error) {
	ctx, tenant := r.Context(), web.ActorFrom(r.Context()).Tenant
	v := PricesView{Nav: web.NavOf(ctx, ui.AtData), Notice: map[string]string{"set": "The price is set. It holds for what is spent from now on.", "removed": "The price is removed."}[r.URL.Query().Get("done")]}
	list, errPrices := s.Prices.List(ctx, tenant)
	own, errModels := s.Models.List(ctx, tenant)
	houses, errHouses := s.Connections.List(ctx, tenant)
	if err := cmp.Or(errPrices, errModels, errHouses); err != nil {
		return v, err
	}
	seen := map[string]bool{}
	model := func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		p, known := list.Model(name)
		p.Model = name
		v.Rows = append(v.Rows, PriceRow{Name: name, Price: p, Set: p.ID != "", Known: known})
	}
	for _, m := range own {
		model(m.Name)
	}
	for _, p := range list.All() {
		if p.Model != "" {
			model(p.Model)
		}
	}
	for _, w := range houses {
		p, known := list.Warehouse(w.ID)
		p.Warehouse = w.ID
		v.Rows = append(v.Rows, PriceRow{Name: warehouseName(w), Price: p, Set: p.ID != "", Known: known})
	}
	return v, nil
}

// submitPrice sets or removes a price.
func (s *Handlers) submitPrice(w http.ResponseWriter, r *http.Request) error {
	ctx, form := r.Context(), r.PostForm
	if form.Get("act") == "remove" {
		if err := s.deletePrice(ctx, &priceID{form.Get("id")}); err != nil {
			return s.pricesAgain(w, r, err)
		}
		return web.EndForm(w, r, "/data/prices?done=removed")
	}
	in := &newPrice{}
	b := &in.Body
	b.Model, b.WarehouseID, b.Source = form.Get("model"), form.Get("warehouseId"), form.Get("source")
	var err error
	for _, f := range []struct {
		name string
		to   *float64
	}{{"in", &b.In}, {"cached", &b.Cached}, {"out", &b.Out}, {"terabyte", &b.Terabyte}, {"hour", &b.Hour}} {
		n, bad := decimalNumber(r, f.name)
		*f.to, err = n, cmp.Or(err, bad)
	}
	if err == nil {
		_, err = s.setPrice(ctx, in)
	}
	if err != nil {
		return s.pricesAgain(w, r, err)
	}
	return web.EndForm(w, r, "/data/prices?done=set")
}
