package brief

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// typeface is a font that a PDF embeds, with how wide its characters are.
type typeface struct {
	ttf    []byte
	widths map[rune]float64 // in ems; what is not in it the font does not have
}

// typefaces are the regular and the bold one. They are part of the program, so a
// fault in them is a programmer's.
var typefaces = sync.OnceValue(func() map[bool]typeface {
	out := map[bool]typeface{}
	for bold, ttf := range map[bool][]byte{false: goregular.TTF, true: gobold.TTF} {
		widths, err := measure(ttf)
		if err != nil {
			panic(fmt.Sprintf("embedded font: %v", err))
		}
		out[bold] = typeface{ttf, widths}
	}
	return out
})

// planeEnd ends the plane of characters that the fonts and their use in PDFs know.
const planeEnd = 0xFFFF

// measure reads the width of every character that a font has.
func measure(ttf []byte) (map[rune]float64, error) {
	parsed, err := sfnt.Parse(bytes.Clone(ttf))
	if err != nil {
		return nil, err
	}
	const em = 1000
	out := map[rune]float64{}
	var b sfnt.Buffer
	for r := ' '; r < planeEnd; r++ {
		glyph, err := parsed.GlyphIndex(&b, r)
		if err != nil {
			return nil, err
		}
		if glyph == 0 {
			continue
		}
		wide, err := parsed.GlyphAdvance(&b, glyph, fixed.I(em), font.HintingNone)
		if err != nil {
			return nil, err
		}
		out[r] = float64(wide) / 64 / em
	}
	return out, nil
}

// width is how wide s is, in ems.
func (t typeface) width(s string) float64 {
	sum := 0.0
	for _, r := range s {
		sum += t.widths[r]
	}
	return sum
}

// stand stands for a character that the fonts do not have.
const stand = '□'

// drawn returns s in characters that the fonts have, and how many another had to
// stand for. Accents are joined to their letters first; joiners and selectors,
// which draw nothing themselves, go.
func drawn(s string) (string, int) {
	has, lost := typefaces()[false].widths, 0
	out := strings.Map(func(r rune) rune {
		if _, ok := has[r]; ok {
			return r
		}
		switch {
		case r == '\u200d' || r == '\u200c' || r >= '\ufe00' && r <= '\ufe0f':
			return -1
		case r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '\u3000':
			return ' '
		case r == '\u2011' || r == '\u2010':
			return '-'
		}
		lost++
		return stand
	}, norm.NFC.String(s))
	return out, lost
}
