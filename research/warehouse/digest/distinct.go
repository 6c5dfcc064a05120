package digest

import (
	"hash/maphash"
	"math/bits"
)

// set counts distinct keys, up to DistinctLimit of them: open addressing, half
// full at most.
type set struct {
	keys  []uint64
	shift int  // 64 minus the bits of len(keys)
	zero  bool // 0 is in it, which marks free places
	n     int
	more  bool
}

// reset empties s and makes room for n keys.
func (s *set) reset(n int) {
	width := bits.Len(uint(2 * min(n, DistinctLimit)))
	if size := 1 << width; cap(s.keys) < size {
		s.keys = make([]uint64, size)
	} else {
		s.keys = s.keys[:size]
		clear(s.keys)
	}
	s.shift, s.zero, s.n, s.more = 64-width, false, 0, false
}

// add adds a key.
func (s *set) add(key uint64) {
	if s.more {
		return
	}
	if key == 0 {
		if !s.zero {
			s.zero = true
			s.grow()
		}
		return
	}
	mask := uint64(len(s.keys) - 1)
	for at := key * 0x9e3779b97f4a7c15 >> s.shift; ; at = (at + 1) & mask {
		switch s.keys[at] {
		case key:
			return
		case 0:
			if s.grow() {
				s.keys[at] = key
			}
			return
		}
	}
}

// grow counts one more, unless there are too many.
func (s *set) grow() bool {
	if s.n == DistinctLimit {
		s.more = true
		return false
	}
	s.n++
	return true
}

// count returns how many keys there are, and whether there are more.
func (s *set) count() (int, bool) { return s.n, s.more }

// seed makes keys of strings. It differs between processes, but what is counted
// does not.
var seed = maphash.MakeSeed()

// stringKey tells strings apart: two in some 10^19 share one.
func stringKey(v string) uint64 { return maphash.String(seed, v) }
