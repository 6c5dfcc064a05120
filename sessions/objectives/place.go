package objectives

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// PlaceIndex knows where each value of a JSON document stands.
type PlaceIndex struct {
	raw   []byte
	at    map[string]jsonPlace // path, such as obligations[2].priority → place; "" is the document
	twice []string             // paths of names that stand twice in their object
}

// jsonPlace is where a value stands, in bytes from the start.
type jsonPlace struct{ name, value int } // name equals value where there is none

// maxPlaceDepth bounds how deep a document is looked into.
const maxPlaceDepth = 32

// Places returns the index of a document. Of one that is no JSON it knows the
// part before the fault.
func Places(raw []byte) PlaceIndex {
	s := placeScan{raw: raw, dec: json.NewDecoder(bytes.NewReader(raw)), out: PlaceIndex{raw: raw, at: map[string]jsonPlace{}}}
	s.value("", s.ahead(), 0)
	return s.out
}

// Line returns the line and column, both from 1 and columns in bytes, of what
// stands at path: of the value, or of the name when the value is the fault's
// whole object. A path that is not there is looked for further up; the last
// resort is the start of the document.
func (p PlaceIndex) Line(path string) (line, column int) {
	return p.lineOf(p.at[p.nearest(path)].value)
}

// NameLine is Line for the name of a member.
func (p PlaceIndex) NameLine(path string) (line, column int) {
	return p.lineOf(p.at[p.nearest(path)].name)
}

// Twice returns the paths of the names that stand twice in their object.
func (p PlaceIndex) Twice() []string { return p.twice }

// nearest is path, or the longest beginning of it that is there.
func (p PlaceIndex) nearest(path string) string {
	for path != "" {
		if _, ok := p.at[path]; ok {
			return path
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return ""
}

func (p PlaceIndex) lineOf(at int) (line, column int) {
	before := p.raw[:min(at, len(p.raw))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

type placeScan struct {
	raw []byte
	dec *json.Decoder
	out PlaceIndex
}

// ahead is where the next token begins.
func (s *placeScan) ahead() int {
	i := int(s.dec.InputOffset())
	for i < len(s.raw) && strings.IndexByte(" \t\r\n,:", s.raw[i]) >= 0 {
		i++
	}
	return i
}

// value notes the place of the next value and of those in it. It reports whether
// there was one.
func (s *placeScan) value(path string, name, depth int) bool {
	s.out.at[path] = jsonPlace{name, s.ahead()}
	if depth == maxPlaceDepth {
		return s.dec.Decode(new(json.RawMessage)) == nil
	}
	token, err := s.dec.Token()
	if err != nil {
		return false
	}
	switch token {
	case json.Delim('{'):
		return s.members(path, depth)
	case json.Delim('['):
		return s.items(path, depth)
	}
	return true
}

func (s *placeScan) members(path string, depth int) bool {
	seen := map[json.Token]bool{}
	for s.dec.More() {
		at := s.ahead()
		key, err := s.dec.Token()
		member := strings.TrimPrefix(path+"."+fmt.Sprint(key), ".")
		if seen[key] {
			s.out.twice = append(s.out.twice, member)
		}
		seen[key] = true
		if err != nil || !s.value(member, at, depth+1) {
			return false
		}
	}
	_, err := s.dec.Token()
	return err == nil
}

func (s *placeScan) items(path string, depth int) bool {
	for i := 0; s.dec.More(); i++ {
		if !s.value(fmt.Sprintf("%s[%d]", path, i), s.ahead(), depth+1) {
			return false
		}
	}
	_, err := s.dec.Token()
	return err == nil
}
