package schema_test

import (
	"fmt"
	"testing"

	"quaestor/research/warehouse/catalog"
)

func BenchmarkRefresh(b *testing.B) {
	l := newLab(b, nil, asked(2_000)...)
	b.Run("2000 new tables", func(b *testing.B) {
		for b.Loop() {
			id := l.named(b.N)
			if _, err := l.index.Refresh(b.Context(), l.tenant, id, l.house, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	l.refresh()
	b.Run("2000 tables as they were", func(b *testing.B) {
		for b.Loop() {
			l.refresh()
		}
	})
	b.Run("load 2000 tables", func(b *testing.B) {
		for b.Loop() {
			if s, err := l.open(nil).Load(b.Context(), l.tenant, l.id); err != nil || s.Index.Len() != 2_000 {
				b.Fatal(err)
			}
		}
	})
	b.Run("load 2000 tables again", func(b *testing.B) {
		for b.Loop() {
			l.load()
		}
	})
}

// named connects one more warehouse.
func (l *lab) named(n int) (id string) {
	l.extra++
	return l.warehouseNamed(l.tenant, fmt.Sprint("Sales ", n, l.extra))
}

func BenchmarkCatalog(b *testing.B) {
	l := newLab(b, nil, asked(2_000)...)
	l.refresh()
	s := l.load()
	b.ReportAllocs()
	for b.Loop() {
		s.Catalog(catalog.Options{Budget: 8_000})
	}
}
