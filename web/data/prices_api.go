package data

import (
	"context"
	"time"

	"quaestor/research/warehouse/prices"
	"quaestor/web"
)

// priceBody is the price of a model or of a warehouse, in US dollars.
type priceBody struct {
	ID          string    `json:"id"`
	Model       string    `json:"model,omitempty" doc:"its name, as its API calls it"`
	WarehouseID string    `json:"warehouseId,omitempty"`
	In          float64   `json:"in" doc:"of a model: of a million tokens of prompts"`
	Cached      float64   `json:"cached" doc:"of a million of those that the provider had cached"`
	Out         float64   `json:"out" doc:"of a million tokens of answers"`
	Terabyte    float64   `json:"terabyte" doc:"of a warehouse: of 10^12 bytes that a query scans"`
	Hour        float64   `json:"hour" doc:"of a warehouse: of an hour in which a query runs"`
	Source      string    `json:"source,omitempty" doc:"where the price is from"`
	ChangedBy   string    `json:"changedBy,omitempty"`
	ChangedAt   time.Time `json:"changedAt"`
}

func toPriceBody(p prices.Price) priceBody {
	return priceBody{p.ID, p.Model, p.Warehouse, p.In, p.Cached, p.Out, p.Terabyte, p.Hour, p.Source, p.ChangedBy, p.ChangedAt}
}

// newPrice sets a price.
type newPrice struct {
	Body struct {
		Model       string  `json:"model,omitempty" maxLength:"200" pattern:"^[^\\x00]*$" doc:"either this"`
		WarehouseID string  `json:"warehouseId,omitempty" format:"uuid" doc:"or this"`
		In          float64 `json:"in,omitempty" minimum:"0"`
		Cached      float64 `json:"cached,omitempty" minimum:"0"`
		Out         float64 `json:"out,omitempty" minimum:"0"`
		Terabyte    float64 `json:"terabyte,omitempty" minimum:"0"`
		Hour        float64 `json:"hour,omitempty" minimum:"0"`
		Source      string  `json:"source,omitempty" maxLength:"500" pattern:"^[^\\x00]*$"`
	}
}

type priceID struct {
	ID string `path:"id" doc:"id of the price"`
}

func (s *Handlers) listPrices(ctx context.Context, _ *struct{}) (web.Page[priceBody], error) {
	list, err := s.Prices.Own(ctx, web.ActorFrom(ctx).Tenant)
	return web.Page[priceBody]{Items: web.Map(list, toPriceBody)}, err
}

func (s *Handlers) setPrice(ctx context.Context, in *newPrice) (priceBody, error) {
	a, b := web.ActorFrom(ctx), in.Body
	p, err := s.Prices.Set(ctx, a.Tenant, a.User, prices.Price{Model: b.Model, Warehouse: b.WarehouseID, In: b.In, Cached: b.Cached, Out: b.Out, Terabyte: b.Terabyte, Hour: b.Hour, Source: b.Source})
	return toPriceBody(p), err
}

func (s *Handlers) deletePrice(ctx context.Context, in *priceID) error {
	a := web.ActorFrom(ctx)
	return s.Prices.Delete(ctx, a.Tenant, a.User, in.ID)
}
