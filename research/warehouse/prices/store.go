package prices

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/prices/internal/dbsqlc"
)

// queries are the generated queries of this package.
var queries = dbsqlc.New()

// Store stores the prices of all organisations.
type Store struct {
	Pool *pgxpool.Pool
	// Default are prices that hold where an organisation has set none; those of a server that came
	// with prices of its own model.
	Default []Price
	// Journal records what somebody did in the journal of an organisation, in the transaction that
	// does it. Nil records nothing.
	Journal func(ctx context.Context, tx pgx.Tx, tenant, by, subject, did string) error
}

// List returns the prices that hold for a tenant: its own, then the defaults that it has not replaced.
func (s Store) List(ctx context.Context, tenant string) (List, error) {
	own, err := s.Own(ctx, tenant)
	if err != nil {
		return List{}, err
	}
	return NewList(append(append([]Price{}, s.Default...), own...)...), nil
}

// Own returns the prices that a tenant has set, those of models first, by name.
func (s Store) Own(ctx context.Context, tenant string) ([]Price, error) {
	out, err := postgres.List(ctx, s.Pool, tenant, queries.PriceList, tenant, fromRow)
	return out, fault.Wrap(err, "list prices of tenant %s", tenant)
}

// Set stores a price, in place of the one that there is for the same model or warehouse. If p is
// invalid the error is Unprocessable and names the field.
func (s Store) Set(ctx context.Context, tenant, by string, p Price) (out Price, err error) {
	if p, err = p.check(); err != nil {
		return p, err
	}
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		row, err := set(ctx, tx, tenant, by, p)
		if code := postgres.Code(err); code == "23503" || code == "22P02" {
			return fault.New(fault.Unprocessable, "there is no such warehouse").At("warehouseId").Because(err)
		}
		if err != nil {
			return err
		}
		if out, err = fromRow(row); err != nil {
			return err
		}
		return s.note(ctx, tx, tenant, by, out, "set the price of "+out.words())
	})
	return out, wrapped(err, tenant)
}

// set stores a price.
func set(ctx context.Context, tx pgx.Tx, tenant, by string, p Price) (*dbsqlc.WarehousePrice, error) {
	if p.Model != "" {
		return queries.PriceOfModel(ctx, tx, &dbsqlc.PriceOfModelParams{TenantID: tenant, Model: p.Model, MillionIn: p.In, MillionCached: p.Cached, MillionOut: p.Out, Source: p.Source, By: by})
	}
	return queries.PriceOfWarehouse(ctx, tx, &dbsqlc.PriceOfWarehouseParams{TenantID: tenant, WarehouseID: p.Warehouse, Terabyte: p.Terabyte, Hour: p.Hour, Source: p.Source, By: by})
}

// words states a price for the journal.
func (p Price) words() string {
	if p.Model != "" {
		return fmt.Sprintf("a model to %g, %g and %g US dollars for a million tokens in, cached and out:", p.In, p.Cached, p.Out)
	}
	return fmt.Sprintf("a warehouse to %g US dollars a terabyte and %g an hour:", p.Terabyte, p.Hour)
}

// note records what somebody did about a price.
func (s Store) note(ctx context.Context, tx pgx.Tx, tenant, by string, p Price, did string) error {
	if s.Journal == nil {
		return nil
	}
	return s.Journal(ctx, tx, tenant, by, cmp.Or(p.Model, p.Warehouse), did)
}

// Delete forgets a price. One that does not exist is a NotFound.
func (s Store) Delete(ctx context.Context, tenant, by, id string) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		row, err := queries.PriceDelete(ctx, tx, &dbsqlc.PriceDeleteParams{TenantID: tenant, ID: id})
		if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
			return fault.New(fault.NotFound, "there is no such price").Coded("price_not_found")
		}
		if err != nil {
			return err
		}
		p, err := fromRow(row)
		return cmp.Or(err, s.note(ctx, tx, tenant, by, p, "removed the price of"))
	})
	return wrapped(err, tenant)
}

// wrapped adds what was being done to errors that are not said to people.
func wrapped(err error, tenant string) error {
	if err == nil || fault.KindOf(err) != fault.Internal {
		return err
	}
	return fmt.Errorf("prices of tenant %s: %w", tenant, err)
}

// fromRow converts a row of the table of prices.
func fromRow(r *dbsqlc.WarehousePrice) (Price, error) {
	return Price{ID: r.ID, Model: postgres.OrEmpty(r.Model), Warehouse: postgres.OrEmpty(r.WarehouseID), In: r.MillionIn, Cached: r.MillionCached, Out: r.MillionOut,
		Terabyte: r.Terabyte, Hour: r.Hour, Source: r.Source, ChangedBy: r.ChangedBy, ChangedAt: r.ChangedAt}, nil
}
