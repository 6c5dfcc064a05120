package brief

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The map from what a PDF draws to the text it stands for, as the library writes
// it: one range over all characters. The format allows a range to change its last
// byte only, and readers that hold to that take “ for a control character.
const (
	wideMap  = "1 beginbfrange\n<0000> <FFFF> <0000>\nendbfrange"
	mapStart = "/CIDInit /ProcSet"
)

var mapLength = regexp.MustCompile(`<</Length (\d+)>>\nstream\n$`)

// mapped returns a PDF whose maps have a range for each block of 256 characters
// that the fonts have. Everything behind a map moves, and the table at the end,
// which says where what stands, is moved along. A file that is not as the library
// writes it today is returned as it is.
func mapped(pdf []byte) []byte {
	table := bytes.LastIndex(pdf, []byte("\nxref\n"))
	if table < 0 {
		return pdf
	}
	narrow := narrowMap()
	var out bytes.Buffer
	var moved []shift
	rest := pdf[:table+1]
	for done := 0; ; {
		at := bytes.Index(rest[done:], []byte(wideMap))
		if at < 0 {
			out.Write(rest[done:])
			break
		}
		at += done
		start := bytes.LastIndex(rest[done:at], []byte(mapStart)) + done
		m := mapLength.FindSubmatchIndex(rest[done:max(start, done)])
		if m == nil {
			return pdf
		}
		length, err := strconv.Atoi(string(rest[done+m[2] : done+m[3]]))
		if err != nil {
			return pdf
		}
		out.Write(rest[done : done+m[2]])
		fmt.Fprint(&out, length+len(narrow)-len(wideMap))
		out.Write(rest[done+m[3] : at])
		out.WriteString(narrow)
		done = at + len(wideMap)
		moved = append(moved, shift{at, out.Len() - done})
	}
	return append(out.Bytes(), tableMoved(pdf[table+1:], moved)...)
}

// shift says that what stood behind a place moved by so many bytes.
type shift struct{ after, by int }

func movedTo(at int, moved []shift) int {
	by := 0
	for _, s := range moved {
		if at > s.after {
			by = s.by
		}
	}
	return at + by
}

var (
	tableEntry = regexp.MustCompile(`(?m)^\d{10} 00000 n`)
	tablePlace = regexp.MustCompile(`startxref\n(\d+)`)
)

// tableMoved is the table at a PDF's end with its places moved.
func tableMoved(table []byte, moved []shift) []byte {
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

// narrowMap has a range for each block of characters that the fonts have. At most
// 100 ranges stand together.
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
