package projects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects/internal/dbsqlc"
)

// PackVersion is a version of a pack that projects can use.
type PackVersion struct {
	packs.Version
	Builtin bool      // it comes with this server
	By      string    // the user who imported it or used it first
	At      time.Time // when; zero for an unused one that comes with the server
}

// Import stores a pack from its envelope. If it has faults, the error is Unprocessable and lists
// all of them. If that version exists with different content, it is a Conflict. Importing the
// same content again changes nothing.
func (s Store) Import(ctx context.Context, tenant, by string, envelope []byte) (v packs.Version, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		v, err = s.ImportIn(ctx, tx, tenant, by, envelope)
		return err
	})
	return v, err
}

// ImportIn is [Store.Import] as part of a transaction of the tenant.
func (s Store) ImportIn(ctx context.Context, tx pgx.Tx, tenant, by string, envelope []byte) (packs.Version, error) {
	p, faults := packs.Parse(envelope)
	if p == nil {
		return packs.Version{}, packs.Refuse(faults)
	}
	if err := packs.Refuse(append(faults, p.Faults()...)); err != nil {
		return packs.Version{}, err
	}
	return p.At(), worded(importPack(ctx, tx, tenant, by, p), "import pack "+p.At().String())
}

// importPack stores a pack unless another of that version is there.
func importPack(ctx context.Context, tx pgx.Tx, tenant, by string, p *packs.Pack) error {
	if before, err := findPack(ctx, tx, tenant, p.At()); err == nil && !same(before, p) {
		return otherPack(p)
	} else if err != nil && !fault.Is(err, fault.Unprocessable) {
		return err
	}
	if err := keepPack(ctx, tx, tenant, by, p); err != nil {
		return err
	}
	stored, err := findPack(ctx, tx, tenant, p.At()) // somebody may have stored another at the same time
	if err == nil && !same(stored, p) {
		return otherPack(p)
	}
	return err
}

func otherPack(p *packs.Pack) error {
	return fault.New(fault.Conflict, "there is another pack %s already; a version never changes, give this one a new version", p.At()).At("pack.version").Coded("version_exists")
}

// same reports whether two packs are exported alike.
func same(a, b *packs.Pack) bool {
	x, errX := a.Export()
	y, errY := b.Export()
	return errX == nil && errY == nil && slices.Equal(x, y)
}

// Pack returns a version of a pack, or the newest one if v has no version. It is Unprocessable if
// there is none.
func (s Store) Pack(ctx context.Context, tenant string, v packs.Version) (p *packs.Pack, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		p, err = findPack(ctx, tx, tenant, v)
		return err
	})
	return p, worded(err, "find pack "+v.String())
}

// Packs lists the versions of packs that the tenant's projects can use, by slug and then newest
// first.
func (s Store) Packs(ctx context.Context, tenant string) (out []PackVersion, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		out, err = listPacks(ctx, tx, tenant)
		return err
	})
	return out, worded(err, "list packs")
}

// PacksIn is [Store.Packs] as part of a transaction of the tenant.
func (s Store) PacksIn(ctx context.Context, tx pgx.Tx, tenant string) ([]PackVersion, error) {
	return listPacks(ctx, tx, tenant)
}

// listPacks returns the built-in packs and those that the tenant has imported.
func listPacks(ctx context.Context, db postgres.DB, tenant string) ([]PackVersion, error) {
	rows, err := queries.PackList(ctx, db, tenant)
	if err != nil {
		return nil, err
	}
	kept := map[packs.Version]*dbsqlc.PackListRow{}
	for _, r := range rows {
		kept[packs.Version{Slug: r.Slug, Version: r.Version}] = r
	}
	var out []PackVersion
	for _, p := range packs.Builtin() {
		one := PackVersion{Version: p.At(), Builtin: true}
		if r := kept[p.At()]; r != nil {
			one.By, one.At = r.ImportedBy, r.ImportedAt
		}
		out = append(out, one)
	}
	for _, r := range rows { // after the built-in versions, which are the newest of their packs
		v := packs.Version{Slug: r.Slug, Version: r.Version}
		if !slices.ContainsFunc(out, func(l PackVersion) bool { return l.Version == v }) {
			out = append(out, PackVersion{Version: v, By: r.ImportedBy, At: r.ImportedAt})
		}
	}
	slices.SortStableFunc(out, func(a, b PackVersion) int { return cmp.Compare(a.Slug, b.Slug) })
	return out, nil
}

// findPack returns a version of a pack, built in or stored. It is Unprocessable if there is none.
// A stored pack that cannot be read any more is an internal error, since it was checked when it
// was stored.
func findPack(ctx context.Context, db postgres.DB, tenant string, v packs.Version) (*packs.Pack, error) {
	if p, ok := packs.BuiltinBySlug(v.Slug); ok && (v.Version == "" || v.Version == p.Version) {
		return p, nil
	}
	if v.Version == "" {
		newest, err := newestPack(ctx, db, tenant, v.Slug)
		if err != nil {
			return nil, err
		}
		v = newest
	}
	document, err := queries.PackFind(ctx, db, &dbsqlc.PackFindParams{TenantID: tenant, Slug: v.Slug, Version: v.Version})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, noPack(v)
	}
	if err != nil {
		return nil, err
	}
	p, faults := packs.Parse([]byte(document))
	if len(faults) > 0 {
		return nil, fmt.Errorf("read pack %s: %v", v, faults)
	}
	return p, nil
}

// newestPack returns the newest version of a pack.
func newestPack(ctx context.Context, db postgres.DB, tenant, slug string) (packs.Version, error) {
	all, err := listPacks(ctx, db, tenant)
	if err != nil {
		return packs.Version{}, err
	}
	for _, l := range all {
		if l.Slug == slug {
			return l.Version, nil
		}
	}
	return packs.Version{}, noPack(packs.Version{Slug: slug})
}

// noPack is the fault of a version that does not exist.
func noPack(v packs.Version) error {
	return fault.New(fault.Unprocessable, "there is no pack %s", strings.TrimSuffix(v.String(), "@")).At("pack")
}

// keepPack stores a version of a pack unless it is stored already.
func keepPack(ctx context.Context, tx pgx.Tx, tenant, by string, p *packs.Pack) error {
	document, err := p.Export()
	if err != nil {
		return err
	}
	return queries.PackPut(ctx, tx, &dbsqlc.PackPutParams{TenantID: tenant, Slug: p.Slug, Version: p.Version, Document: string(document), By: by})
}
