package projects

import (
	"context"
	"slices"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
)

// Explorable returns the project with an id if a run may look into areas of it, the ids of
// areas of its pack. It is a Conflict while the pack of the project is still being made, and
// Unprocessable for an area that the pack does not have. No areas stand for all.
func (s Store) Explorable(ctx context.Context, tenant, id string, areas []string) (Project, error) {
	p, err := s.Find(ctx, tenant, id)
	if err != nil {
		return p, err
	}
	if err := p.State.MayRun(); err != nil {
		return p, err
	}
	known, err := s.Areas(ctx, tenant, p)
	if err != nil {
		return p, err
	}
	for _, id := range areas {
		if !slices.ContainsFunc(known, func(area warehouse.Area) bool { return area.ID == id }) {
			return p, fault.New(fault.Unprocessable, "%q is no area of pack %s", id, p.Pack).At("areas")
		}
	}
	return p, nil
}

// Areas returns the areas that a run of a project may look into.
func (s Store) Areas(ctx context.Context, tenant string, p Project) ([]warehouse.Area, error) {
	pack, err := s.Pack(ctx, tenant, p.Pack)
	if err != nil {
		return nil, err
	}
	kit, err := p.Kit(pack)
	if err != nil {
		return nil, err
	}
	return kit.Areas, nil
}
