package question

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"quaestor/internal/fault"
	"quaestor/internal/language/messages"
	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/inquiry"
	"quaestor/research/warehouse/metrics"
)

// Warehouses answers questions about the warehouses that organisations have connected. It is safe
// for concurrent use.
type Warehouses struct {
	Store   *connections.Store
	Metrics *metrics.Store                                       // what the organisations have defined; nil for nothing
	Model   func(ctx context.Context, tenant string) *llm.Client // of a tenant; it or its result may be nil

	// Preferred returns the ids of the warehouses that a question is likelier about than about others: those of the
	// project that its session fills, or that it names. Nil prefers none.
	Preferred func(ctx context.Context, tenant, session, words string) ([]string, error)
}

// Asked is a question about one of an organisation's warehouses.
type Asked struct {
	Text
	Warehouse string // id; empty to choose by the question
	Session   string // in which it is asked; empty outside of interviews
	Who       Who    // empty for somebody who may query the warehouses anyway
}

// The contract with interviews is that of package inquiry; these are its names here.
type (
	Who           = inquiry.Who
	Missing       = inquiry.Missing
	MissingReason = inquiry.MissingReason
	Record        = inquiry.Record
	Recheck       = inquiry.Recheck
	Cell          = inquiry.Cell
)

// The people of an interview, and the reasons why no warehouse can be asked.
const (
	Members        = inquiry.Members
	Guests         = inquiry.Guests
	NoneConnected  = inquiry.NoneConnected
	NoneRead       = inquiry.NoneRead
	NotForAsker    = inquiry.NotForAsker
	NoRuns         = inquiry.NoRuns
	ManyWarehouses = inquiry.ManyWarehouses
)

// ForInterviews returns the warehouses as interviews ask them.
func (h *Warehouses) ForInterviews() *inquiry.Warehouses {
	full := func(q inquiry.Question) Asked {
		return Asked{Text: Text{Words: q.Words, Language: q.Language, Now: q.Now}, Warehouse: q.Warehouse, Session: q.Session, Who: q.Who}
	}
	return &inquiry.Warehouses{
		Ready: h.Ready, Names: h.names,
		Allowed: func(ctx context.Context, tenant string, q inquiry.Question) error {
			_, err := h.Choose(ctx, tenant, full(q))
			return err
		},
		Ask: func(ctx context.Context, tenant string, q inquiry.Question) (Record, error) {
			found, err := h.Ask(ctx, tenant, full(q))
			if err != nil {
				return Record{}, err
			}
			return found.Record(), nil
		},
		Again: h.Again, Refused: Refused, Clause: Clause, Bare: Bare, Alike: Alike, Measures: Measures, Refined: Refine,
	}
}

// Found is an answer with the warehouse that gave it.
type Found struct {
	Answer
	Warehouse, Name string // id and name
}

// place is a warehouse that may be asked.
type place struct {
	warehouse connections.Warehouse
	fit       float64
	clear     bool // the rules can read the question there
	preferred bool // it belongs to the project that is talked about
}

// Ask answers a question. It chooses the warehouse whose tables fit the question best, unless one is
// named. Besides the errors of [Ask], a [*Missing] says that there is none to ask.
func (h *Warehouses) Ask(ctx context.Context, tenant string, q Asked) (*Found, error) {
	at, err := h.Choose(ctx, tenant, q)
	if err != nil {
		return nil, err
	}
	g, err := h.Store.Open(ctx, tenant, at.ID, connections.View{})
	if err != nil {
		return nil, err
	}
	defer g.Close() //nolint:errcheck // it was only read from
	var model *llm.Client
	if h.Model != nil {
		model = h.Model(ctx, tenant)
	}
	q.Names = append(slices.Clone(q.Names), at.Name)
	if err := h.know(ctx, tenant, at.ID, &q.Text); err != nil {
		return nil, err
	}
	a, err := Ask(ctx, g, q.Text, Options{Model: model, Name: at.Name})
	if err != nil {
		return nil, err
	}
	return &Found{*a, at.ID, at.Name}, nil
}

// Ready returns nil if a question of somebody could be asked anywhere, and otherwise the [*Missing]
// that says why not.
func (h *Warehouses) Ready(ctx context.Context, tenant string, who Who) error {
	_, err := h.open(ctx, tenant, Asked{Who: who})
	return err
}

// names returns the names of the warehouses that somebody may ask, in the order of the organisation.
func (h *Warehouses) names(ctx context.Context, tenant string, who Who) ([]string, error) {
	all, err := h.Store.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, w := range all {
		if allowed(w, who) {
			out = append(out, w.Name)
		}
	}
	return out, nil
}

// open returns the warehouses that may be asked.
func (h *Warehouses) open(ctx context.Context, tenant string, q Asked) ([]place, error) {
	all, err := h.Store.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	if q.Warehouse != "" {
		all = slices.DeleteFunc(all, func(w connections.Warehouse) bool { return w.ID != q.Warehouse })
	}
	m := &Missing{Why: NoneConnected}
	var out []place
	for _, w := range all {
		if !allowed(w, q.Who) {
			m = &Missing{Why: NotForAsker, Name: w.Name}
			continue
		}
		snapshot, err := h.Store.Load(ctx, tenant, w.ID)
		if fault.Is(err, fault.Conflict) || err == nil && len(snapshot.Tables) == 0 {
			if m.Why == NoneConnected {
				m = &Missing{Why: NoneRead, Name: w.Name}
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		p := place{warehouse: w}
		if q.Words != "" {
			if err := h.know(ctx, tenant, w.ID, &q.Text); err != nil {
				return nil, err
			}
			p.fit, p.clear = fit(q.Text, snapshot.Index, w.Name)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, m
	}
	return out, nil
}

// know adds to a question what an organisation has defined and verified over a warehouse.
func (h *Warehouses) know(ctx context.Context, tenant, id string, q *Text) (err error) {
	if h.Metrics == nil {
		return nil
	}
	if q.Defined, err = h.Metrics.Usable(ctx, tenant, id); err != nil {
		return err
	}
	q.Verified, err = h.Metrics.Examples(ctx, tenant, id)
	return err
}

// allowed reports whether somebody may ask a warehouse.
func allowed(w connections.Warehouse, who Who) bool {
	switch who {
	case "":
		return true
	case Members:
		return w.Interviews != connections.NobodyAsks
	case Guests:
		return w.Interviews == connections.EverybodyAsks
	}
	return false
}

// Choose returns the warehouse that a question is for.
func (h *Warehouses) Choose(ctx context.Context, tenant string, q Asked) (connections.Warehouse, error) {
	list, err := h.open(ctx, tenant, q)
	if err != nil {
		return connections.Warehouse{}, err
	}
	var names []string
	for _, p := range list {
		names = append(names, p.warehouse.Name)
	}
	if i := slices.Index(names, inquiry.Named(q.Words, names)); i >= 0 {
		return list[i].warehouse, nil
	}
	if len(list) > 1 {
		if list, err = h.prefer(ctx, tenant, q, list); err != nil {
			return connections.Warehouse{}, err
		}
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(b.rank(), a.rank()) })
	if len(list) > 1 && list[0].rank()-list[1].rank() < 0.05 && list[0].fit > 0 {
		return connections.Warehouse{}, &Missing{Why: ManyWarehouses, Name: list[0].warehouse.Name + ", " + list[1].warehouse.Name}
	}
	return list[0].warehouse, nil
}

// prefer marks the places of the project that is talked about. They come before all others in which the question can
// be read as well.
func (h *Warehouses) prefer(ctx context.Context, tenant string, q Asked, list []place) ([]place, error) {
	if h.Preferred == nil {
		return list, nil
	}
	ids, err := h.Preferred(ctx, tenant, q.Session, q.Words)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].preferred = slices.Contains(ids, list[i].warehouse.ID)
	}
	return list, nil
}

// rank orders warehouses: one where the rules can read the question comes before another whose
// tables fit as well, and of those where it can be read one of the project that is talked about.
func (p place) rank() float64 {
	rank := p.fit
	if p.clear {
		rank++
	}
	if p.preferred && (p.clear || p.fit > 0) {
		rank += 0.5
	}
	return rank
}

// Refused reports whether an error says that a question was not answered for a reason that is told
// to the person, and returns it in words.
func Refused(err error, l *messages.Language) (string, bool) {
	var u *Unclear
	if errors.As(err, &u) {
		return u.In(l), true
	}
	var m *Missing
	if errors.As(err, &m) {
		return m.In(l), true
	}
	var bad *warehouse.QueryError
	if errors.As(err, &bad) {
		return (&Unclear{Why: NotConclusive, Word: string(bad.Class)}).In(l), true
	}
	return "", false
}
