package brief

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A PDF maps what it draws to the text that this stands for. The library writes that map as
// one range over all characters, but the format allows a range to change only its last byte,
// and readers that are strict about it extract “ as a control character.
const wideMap = "1 beginbfrange\n<0000> <FFFF> <0000>\nendbfrange"

// textMap matches a stream from its length to the end of such a map.
var textMap = regexp.MustCompile(`(?s)<</Length (\d+)>>\nstream\n/CIDInit /ProcSet.*?` + wideMap)

// narrowTextMaps returns a PDF whose text maps have a range for each block of 256 characters
// that the fonts have. That moves everything behind a map, so the cross-reference table at
// the end is adjusted. A file that does not look as the library writes it now is returned
// unchanged.
func narrowTextMaps(pdf []byte) []byte {
	table := bytes.LastIndex(pdf, []byte("\nxref\n")) + 1
	narrow := narrowMap()
	var out bytes.Buffer
	var moved []shift
	done := 0
	for _, m := range textMap.FindAllSubmatchIndex(pdf[:table], -1) {
		length, err := strconv.Atoi(string(pdf[m[2]:m[3]]))
		if err != nil {
			return pdf
		}
		at := m[1] - len(wideMap)
		out.Write(pdf[done:m[2]])
		fmt.Fprint(&out, length+len(narrow)-len(wideMap))
		out.Write(pdf[m[3]:at])
		out.WriteString(narrow)
		done = m[1]
		moved = append(moved, shift{at, out.Len() - done})
	}
	out.Write(pdf[done:table])
	return append(out.Bytes(), moveTable(pdf[table:], moved)...)
}

// shift moves everything behind an offset by that many bytes.
type shift struct{ after, by int }

// movedTo returns where an offset is after everything has moved.
func movedTo(at int, moved []shift) int {
	by := 0
	for _, s := range moved {
		if at > s.after {
			by = s.by
		}
	}
	return at + by
}

// The entries of a cross-reference table, and the offset of the table itself.
var (
	tableEntry = regexp.MustCompile(`(?m)^\d{10} 00000 n`)
	tablePlace = regexp.MustCompile(`startxref\n(\d+)`)
)

// moveTable returns the cross-reference table with its offsets adjusted.
func moveTable(table []byte, moved []shift) []byte {
	table = tableEntry.ReplaceAllFunc(table, func(entry []byte) []byte {
		at, err := strconv.Atoi(string(entry[:10]))
		if err != nil {
			return entry
		}
		return fmt.Appendf(nil, "%010d 00000 n", movedTo(at, moved))
	})
	return tablePlace.ReplaceAllFunc(table, func(place []byte) []byte {
		at, err := strconv.Atoi(strings.TrimPrefix(string(place), "startxref\n"))
		if err != nil {
			return place
		}
		return fmt.Appendf(nil, "startxref\n%d", movedTo(at, moved))
	})
}

// narrowMap returns a text map with a range for each block of characters that the fonts
// have. The format allows 100 ranges in a section.
func narrowMap() string {
	var blocks []rune
	for r := range typefaces()[false].widths {
		if !slices.Contains(blocks, r>>8) {
			blocks = append(blocks, r>>8)
		}
	}
	slices.Sort(blocks)
	var out strings.Builder
	for list := range slices.Chunk(blocks, 100) {
		fmt.Fprintf(&out, "%d beginbfrange\n", len(list))
		for _, b := range list {
			fmt.Fprintf(&out, "<%02X00> <%02XFF> <%02X00>\n", b, b, b)
		}
		out.WriteString("endbfrange\n")
	}
	return strings.TrimSuffix(out.String(), "\n")
}
