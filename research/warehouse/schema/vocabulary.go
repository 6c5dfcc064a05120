package schema

import "strings"

// maxVocabulary bounds the texts whose words are held in memory for searches. Of larger warehouses
// the database alone finds words, which knows no parts of words, no other language and no values.
const maxVocabulary = 100_000

// vocabulary is every word by which a table or column can be found, with where it occurs.
type vocabulary map[string]*occurrences

// occurrences are the places of a word. A place is listed once.
type occurrences struct {
	tables  []int32  // whose name or comment has the word
	columns []string // ids of columns whose name or comment has it
	values  []spot   // columns that have it as a value
}

// prepareVocabulary collects the words of the snapshot, unless there are too many texts.
func (s *Snapshot) prepareVocabulary() {
	if len(s.Tables)+len(s.with) > maxVocabulary {
		return
	}
	s.words = vocabulary{}
	for i := range s.Tables {
		t := &s.Tables[i]
		for _, w := range append(wordsOf(t.Name), wordsOf(t.Comment)...) {
			if o := s.words.of(w); len(o.tables) == 0 || o.tables[len(o.tables)-1] != int32(i) {
				o.tables = append(o.tables, int32(i))
			}
		}
		for c := range t.Columns {
			for _, v := range t.Categories[t.Columns[c].Name] {
				for _, w := range wordsOf(v) {
					o := s.words.of(w)
					if at := (spot{int32(i), int32(c)}); len(o.values) == 0 || o.values[len(o.values)-1] != at {
						o.values = append(o.values, at)
					}
				}
			}
		}
	}
	for id, spots := range s.with {
		c := &s.Tables[spots[0].table].Columns[spots[0].column]
		for _, w := range append(wordsOf(c.Name), wordsOf(c.Comment)...) {
			if o := s.words.of(w); len(o.columns) == 0 || o.columns[len(o.columns)-1] != id {
				o.columns = append(o.columns, id)
			}
		}
	}
}

// of returns the occurrences of a word, which are empty at first.
func (v vocabulary) of(word string) *occurrences {
	o := v[word]
	if o == nil {
		o = &occurrences{}
		v[word] = o
	}
	return o
}

// found is what the vocabulary has for a question, beyond what the database finds.
type found struct {
	tables  []int32
	columns []string
	values  map[spot]bool
}

// inVocabulary returns the tables and columns whose words fit a question.
func (s *Snapshot) inVocabulary(q question) found {
	out := found{values: map[spot]bool{}}
	for w, o := range s.words {
		for k := range q {
			if len(o.values) > 0 && q[k].meets(w) == exactly {
				for _, at := range o.values {
					out.values[at] = true
				}
			}
		}
		if !q.fits(w) {
			continue
		}
		out.tables = append(out.tables, o.tables...)
		out.columns = append(out.columns, o.columns...)
	}
	return out
}

// fits reports whether any term of the question fits a word.
func (q question) fits(word string) bool {
	for k := range q {
		if q[k].fits(word) > 0 {
			return true
		}
	}
	return false
}

// valueOf returns the value of a column that has a word, and how well the word alone says it: a
// value of several words is met by each in part.
func (s *Snapshot) valueOf(at spot, t term) (value string, how float64) {
	c := &s.Tables[at.table].Columns[at.column]
	for _, v := range s.Tables[at.table].Categories[c.Name] {
		words := wordsOf(v)
		for _, w := range words {
			if t.meets(w) == exactly {
				if n := 0.6 + 0.4/float64(len(words)); n > how {
					value, how = strings.TrimSpace(v), n
				}
			}
		}
	}
	return value, how
}
