package digest

import (
	"hash/maphash"
	"math/bits"
)

// set counts distinct keys up to DistinctLimit: a hash table with open addressing that is at
// most half full. Its memory is reused from column to column.
type set struct {
	keys  []uint64
	shift int  // 64 minus the bits of len(keys)
	zero  bool // whether key 0, which marks free slots, is in the set
	n     int
	more  bool // there were more than DistinctLimit keys
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

// add adds a key. The multiplier is 2^64 divided by the golden ratio (Fibonacci hashing, Knuth,
// The Art of Computer Programming, vol. 3, 6.4).
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

// grow counts one more key, and reports whether there is room for it.
func (s *set) grow() bool {
	if s.n == DistinctLimit {
		s.more = true
		return false
	}
	s.n++
	return true
}

// count returns the number of keys, and whether there were more.
func (s *set) count() (int, bool) { return s.n, s.more }

// seed hashes strings to keys. It differs between processes, but counts do not depend on it.
var seed = maphash.MakeSeed()

// stringKey returns a hash of v. Two strings collide with a probability of about 10^-19.
func stringKey(v string) uint64 { return maphash.String(seed, v) }
