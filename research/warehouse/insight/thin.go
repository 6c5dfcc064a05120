package insight

import (
	"errors"
	"fmt"
	"math"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/guard"
)

// A table that is too heavy for the many questions of the search is searched in a sample: one record of so many, by the
// remainder of a key, or by random numbers with a seed. What is found is a discovery in the sample, for thinning leaves
// each rate as it is; its figures are computed over all records.
const (
	heavyRows   = 2_000_000 // of a product that reads whole rows to answer, with one processor
	thinnedRows = 250_000   // that are left, about
	sampleSeed  = 17
)

// heavy reports whether the search is not even tried over all records.
func (s *source) heavy() bool {
	d := s.f.dialect
	return s.fact.rows > heavyRows && (d == guard.MySQL || d == guard.MariaDB)
}

// thinOut has the search read a sample from now on. It is false if it does already, or if nothing can be left out.
func (s *source) thinOut() bool {
	one := int(math.Ceil(float64(s.fact.rows) / thinnedRows))
	if s.thin != "" || one < 2 {
		return false
	}
	one |= 1 // keys may be even
	switch key := s.sampler(); {
	case key != nil:
		s.thin = fmt.Sprintf("MOD(%s, %d) = 0", key.x, one)
		if s.f.dialect == guard.SQLServer {
			s.thin = fmt.Sprintf("%s %% %d = 0", key.x, one)
		}
	case s.f.dialect == guard.MySQL || s.f.dialect == guard.MariaDB:
		s.thin = fmt.Sprintf("RAND(%d) < %s", sampleSeed, decimal(1/float64(one)))
	default:
		return false
	}
	s.oneOf = one
	s.left = append(s.left, fmt.Sprintf("Effects of %s were looked for in one of %d records, as there are too many to read them all for each question. Figures are over all records. Whether somebody comes back was not looked for.", s.fact.ref, one))
	return true
}

// sampler is a column of whole numbers whose remainders sample records: the key, else what recurs least.
func (s *source) sampler() *field {
	if key := s.identity(); key != nil && builtin.Whole(key.typ) {
		return key
	}
	var best *column
	for _, c := range s.fact.cols {
		if c.role == builtin.Identifier && !c.spoilt && builtin.Whole(c.typ) && c.values > sampledRows/20 && c.filled >= 0.99*float64(s.fact.rows) && (best == nil || c.values > best.values) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return s.field(-1, best)
}

// seen is a condition, and that a record is one that the search reads.
func (s *source) seen(condition string) string {
	if s.thin == "" {
		return condition
	}
	return condition + " AND " + s.thin
}

// tooSlow reports whether a statement was given up because it took too long.
func tooSlow(err error) bool {
	var q *warehouse.QueryError
	return errors.As(err, &q) && q.Class == warehouse.TimedOut
}
