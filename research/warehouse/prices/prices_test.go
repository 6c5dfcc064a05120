package prices_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/prices"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWhatThingsCost(t *testing.T) {
	t.Parallel()

	l := prices.NewList(prices.Price{Model: "clerk", In: 3, Cached: 0.3, Out: 15}, prices.Price{Warehouse: "w", Terabyte: 5, Hour: 2})
	if usd, known := l.OfTokens("clerk", warehouse.TokenUsage{In: 1_000_000, Cached: 400_000, Out: 100_000}); !known || math.Abs(usd-(0.6*3+0.4*0.3+0.1*15)) > 1e-9 {
		t.Errorf("tokens cost %g, known %t", usd, known)
	}
	if usd, known := l.OfStatements("w", warehouse.StatementUsage{Statements: 3, Scanned: 2e12, Took: 90 * time.Minute}); !known || math.Abs(usd-13) > 1e-9 {
		t.Errorf("statements cost %g, known %t", usd, known)
	}
	if _, known := l.OfTokens("another", warehouse.TokenUsage{In: 1}); known {
		t.Error("a model without a price has one")
	}
	if _, known := (prices.List{}).OfStatements("w", warehouse.StatementUsage{}); known {
		t.Error("an empty list knows a price")
	}
}

func TestPricesAreSet(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	super := postgrestest.Superuser(t, pool)
	tenant, other, house := postgrestest.Tenant(t, pool), postgrestest.Tenant(t, pool), uuid.NewString()
	if _, err := super.Exec(t.Context(), `INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Shop', 'postgresql')`, tenant, house); err != nil {
		t.Fatal(err)
	}
	var journal []string
	s := prices.Store{Pool: pool, Default: []prices.Price{{Model: "servers", In: 1, Out: 2}},
		Journal: func(_ context.Context, _ pgx.Tx, _, by, subject, did string) error {
			journal = append(journal, by+" "+did+" "+subject)
			return nil
		}}
	ctx := t.Context()
	for field, p := range map[string]prices.Price{"model": {}, "in": {Model: "m", In: -1}, "out": {Model: "m", Out: math.NaN()}, "terabyte": {Model: "m", Terabyte: 1}, "warehouseId": {Warehouse: uuid.NewString(), Hour: 1}} {
		var f *fault.Error
		if _, err := s.Set(ctx, tenant, "ada", p); !errors.As(err, &f) || f.Kind != fault.Unprocessable || f.Field != field {
			t.Errorf("%+v: %v, want a fault of %s", p, err, field)
		}
	}
	first, err := s.Set(ctx, tenant, "ada", prices.Price{Model: " servers ", In: 3, Out: 4, Source: "the contract"})
	if err != nil || first.Model != "servers" || first.ChangedBy != "ada" {
		t.Fatalf("Set = %+v, %v", first, err)
	}
	again, err := s.Set(ctx, tenant, "bob", prices.Price{Model: "servers", In: 5})
	if err != nil || again.ID != first.ID || again.Source != "" {
		t.Errorf("set again, it is %+v, %v", again, err)
	}
	if _, err := s.Set(ctx, tenant, "ada", prices.Price{Warehouse: house, Hour: 2}); err != nil {
		t.Fatal(err)
	}
	l, err := s.List(ctx, tenant)
	if p, _ := l.Model("servers"); err != nil || p.In != 5 {
		t.Errorf("the own price is %+v, %v", p, err)
	}
	if l, err = s.List(ctx, other); err != nil {
		t.Fatal(err)
	}
	if p, known := l.Model("servers"); !known || p.In != 1 {
		t.Errorf("another tenant pays %+v", p)
	}
	if _, known := l.Warehouse(house); known {
		t.Error("another tenant sees the price")
	}
	if err := s.Delete(ctx, other, "eve", first.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("another tenant deletes it: %v", err)
	}
	if err := s.Delete(ctx, tenant, "ada", first.ID); err != nil {
		t.Error(err)
	}
	if own, err := s.Own(ctx, tenant); err != nil || len(own) != 1 || own[0].Warehouse != house {
		t.Errorf("what is left is %+v, %v", own, err)
	}
	if len(journal) != 4 || !strings.HasPrefix(journal[0], "ada set the price of a model to 3, 0 and 4 US dollars") || journal[3] != "ada removed the price of servers" {
		t.Errorf("the journal is %q", journal)
	}
}
