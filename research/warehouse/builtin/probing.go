package builtin

import "fmt"

// maxProbes is how many joins are tried that no name suggests.
const maxProbes = 6

// probing tries whether short texts of t are keys of another table: airports of
// flights, whose columns are called origin and iata.
func (m *mind) probing(t *table) {
	if m.probes >= maxProbes || !t.whole() {
		return
	}
	for _, c := range t.cols {
		if !c.mayRefer() || t.joinsBy(c) {
			continue
		}
		for _, o := range m.tables {
			if o == t || !o.profiled() || !o.whole() {
				continue
			}
			if key := o.keyLike(c); key != nil {
				m.add(m.probe(t, c, o, key))
			}
		}
	}
}

// mayRefer says whether a text may be the key of something: short, and repeated.
func (c *column) mayRefer() bool {
	return c.known && !c.spoilt && c.class == isText && (c.role == dimension || c.role == identifier) && c.distinct >= 5 && c.longest > 0 && c.longest <= 24 && c.repeats() >= 3
}

// joinsBy says whether a join of t starts at c.
func (t *table) joinsBy(c *column) bool {
	for _, j := range t.joins {
		if j.from == c {
			return true
		}
	}
	return false
}

// keyLike returns the column of t that could be the key that c refers to: each of
// its values stands there once, there are enough of them, and they are as long.
func (t *table) keyLike(c *column) *column {
	for _, k := range t.cols {
		if k.known && !k.spoilt && k.class == isText && k.role != personal && k.role != prose && k.filled > 0 && k.distinct == k.filled && k.filled == k.seen &&
			k.distinct*2 >= c.distinct && k.shortest <= c.shortest && k.longest >= c.longest && k.longest <= max(c.longest+2, c.longest*3/2) {
			return k
		}
	}
	return nil
}

// probe asks how many of the values of c are found among those of key.
func (m *mind) probe(t *table, c *column, to *table, key *column) *idea {
	i := &idea{key: keyOf(probe, t, c, key) + "\x00" + to.ref, kind: probe, of: t, cols: []*column{c}, base: 72, whole: true}
	i.write = func() asking {
		values := statement{list: []string{"DISTINCT " + as(c.quoted, "reference")}, from: t.quoted, where: []string{c.quoted + " IS NOT NULL"}}
		keys := statement{list: []string{as(key.quoted, "target"), as("1", "known")}, from: to.quoted}
		out := statement{
			list: []string{as("COUNT(*)", "different_values"), as("SUM(CASE WHEN r.known = 1 THEN 1 ELSE 0 END)", "found")},
			from: values.nested(m.d, "l") + "\nLEFT JOIN " + keys.nested(m.d, "r") + " ON r.target = l.reference",
		}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("The values of %s in %s look like those of %s in %s. If they are found there, joining %s says what they are.", c.say, t.say, key.say, to.say, to.say),
			purpose:  "whether " + c.say + " of " + t.say + " is the " + key.say + " of " + to.say,
		}
	}
	i.learn = func(r *grid) {
		m.probes++
		if all, found := r.whole(0, 0), r.whole(0, 1); all > 0 && found*10 >= all*8 && !t.joinsBy(c) {
			t.joins = append(t.joins, join{from: c, to: to.ref, key: key.name})
		}
	}
	return i
}
