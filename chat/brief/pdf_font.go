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

// typeface is a font that a PDF embeds, with the widths of its characters.
type typeface struct {
	ttf    []byte
	widths map[rune]float64 // in ems, of the characters that the font has
}

// typefaces are the regular font and, under true, the bold one. They are embedded, so a
// fault in them is a programming error.
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

// planeEnd is the last character that fonts and the PDF library handle.
const planeEnd = 0xFFFF

// measure returns the width of every character that a font has.
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

// width returns the width of s in ems.
func (t typeface) width(s string) float64 {
	sum := 0.0
	for _, r := range s {
		sum += t.widths[r]
	}
	return sum
}

// placeholder replaces a character that the fonts do not have.
const placeholder = '□'

// replaceMissing returns s with only characters that the fonts have, and how many it
// replaced by the placeholder. It first combines letters with their accents. Joiners and
// selectors, which draw nothing, are removed.
func replaceMissing(s string) (string, int) {
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
		return placeholder
	}, norm.NFC.String(s))
	return out, lost
}
