package reader

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const (
	tinyFont = 2.0    // pixels: unreadably small
	farAway  = -500.0 // pixels: off the page
)

var (
	comment = regexp.MustCompile(`(?s)/\*.*?(\*/|$)`)
	escape  = regexp.MustCompile(`\\([0-9a-fA-F]{1,6})\s?|\\(.)`)
	length  = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+))(px|pt|pc|em|rem|ex|ch|vw|vh|vmin|vmax|cm|mm|in|%)?$`)
	shifted = regexp.MustCompile(`translate[^)]*-\d{3}`)
	clipped = regexp.MustCompile(`^(rect\((0|1px|0px|[, ])+\)|inset\((50|100)%.*|circle\(0.*|polygon\(0 0\))$`)
)

// declarations parses a style attribute into lower-case properties, the last one of
// each name, with comments removed and escapes resolved.
func declarations(style string) map[string]string {
	if style == "" {
		return nil
	}
	d := make(map[string]string)
	for part := range strings.SplitSeq(unescape(comment.ReplaceAllString(style, "")), ";") {
		name, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		value = strings.ToLower(strings.Join(strings.Fields(value), " "))
		value = strings.TrimSpace(strings.TrimSuffix(strings.ReplaceAll(value, "! ", "!"), "!important"))
		d[strings.ToLower(strings.TrimSpace(name))] = value
	}
	return d
}

// unescape resolves the backslash escapes of CSS.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escape.ReplaceAllStringFunc(s, func(found string) string {
		code, err := strconv.ParseUint(strings.TrimSpace(found[1:]), 16, 32)
		if err != nil {
			return found[1:]
		}
		return string(rune(code))
	})
}

// unshown reports whether a style removes its element from the page.
func unshown(d map[string]string) bool {
	if len(d) == 0 {
		return false
	}
	switch {
	case d["display"] == "none", d["content-visibility"] == "hidden", zero(d["opacity"]), zero(d["zoom"]):
		return true
	case clipped.MatchString(d["clip"]), clipped.MatchString(d["clip-path"]):
		return true
	case strings.Contains(strings.ReplaceAll(d["transform"], " ", ""), "scale(0)"), zero(d["scale"]), shifted.MatchString(d["transform"]):
		return true
	}
	return away(d) || flattened(d)
}

// away reports whether an element is moved off the page.
func away(d map[string]string) bool {
	for _, name := range []string{"left", "top", "right", "bottom", "margin-left", "margin-top", "margin-right", "text-indent", "inset-inline-start"} {
		if v, _, ok := measure(d[name]); ok && v <= farAway {
			return true
		}
	}
	return false
}

// flattened reports whether an element has no size and hides its overflow.
func flattened(d map[string]string) bool {
	if d["overflow"] != "hidden" && d["overflow"] != "clip" && d["overflow-y"] != "hidden" && d["overflow-x"] != "hidden" {
		return false
	}
	for _, name := range []string{"width", "height", "max-width", "max-height"} {
		if v, _, ok := measure(d[name]); ok && v <= 1 {
			return true
		}
	}
	return false
}

// tiny reports whether letters of this style are too small to see; parent says
// whether those of the enclosing element are.
func tiny(d map[string]string, parent bool) bool {
	size := d["font-size"]
	if size == "" {
		size = sizeInFont(d["font"])
	}
	v, unit, ok := measure(size)
	switch {
	case !ok:
		return parent && (size == "" || size == "inherit" || size == "smaller" || size == "larger")
	case parent && (unit == "em" || unit == "%" || unit == "ex"):
		return true
	}
	return v <= tinyFont
}

// sizeInFont returns the size in a font shorthand: its first length with a unit or
// of value zero.
func sizeInFont(font string) string {
	for field := range strings.FieldsSeq(font) {
		field, _, _ = strings.Cut(field, "/")
		if v, unit, ok := measure(field); ok && (unit != "" || v == 0) {
			return field
		}
	}
	return ""
}

// measure returns a length, converted roughly to pixels, and its unit.
func measure(value string) (float64, string, bool) {
	value = strings.TrimSuffix(strings.TrimPrefix(value, "calc("), ")")
	m := length.FindStringSubmatch(value)
	if m == nil {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, "", false
	}
	scale := map[string]float64{"pt": 1.33, "pc": 16, "em": 16, "rem": 16, "ex": 8, "ch": 8, "vw": 12, "vh": 8, "vmin": 8, "vmax": 12, "cm": 38, "mm": 3.8, "in": 96, "%": 0.16}
	if s, ok := scale[m[2]]; ok {
		v *= s
	}
	return v, m[2], true
}

// zero reports whether a number or percentage is 0 or very nearly so.
func zero(value string) bool {
	v, _, ok := measure(value)
	return ok && math.Abs(v) < 0.02
}

// transparent is the color of elements without one.
const transparent = "transparent"

// named are the colors most often used to hide letters, by their CSS names. Other
// names are compared literally.
var named = map[string]string{
	"white": "#ffffff", "black": "#000000", "red": "#ff0000", "lime": "#00ff00", "blue": "#0000ff", "yellow": "#ffff00", "gray": "#808080", "grey": "#808080", "silver": "#c0c0c0",
	"snow": "#fffafa", "ivory": "#fffff0", "ghostwhite": "#f8f8ff", "whitesmoke": "#f5f5f5", "floralwhite": "#fffaf0", "green": "#008000", "navy": "#000080", "maroon": "#800000", "purple": "#800080", "teal": "#008080", "olive": "#808000",
}

var channels = regexp.MustCompile(`^rgba?\((\d{1,3})[, ]+(\d{1,3})[, ]+(\d{1,3})(?:[, /]+([\d.]+)(%?))?\)$`)

// color returns a color as "#rrggbb", as [transparent], or as written; "" for none
// and for values that depend on other elements.
func color(value string) string {
	value = strings.ToLower(strings.TrimSpace(value))
	if hex, ok := named[value]; ok {
		return hex
	}
	if m := channels.FindStringSubmatch(value); m != nil {
		if m[4] != "" && zero(m[4]) {
			return transparent
		}
		var c [3]int
		for i := range c {
			c[i], _ = strconv.Atoi(m[i+1]) // cannot fail: at most three digits
		}
		return fmt.Sprintf("#%02x%02x%02x", min(c[0], 255), min(c[1], 255), min(c[2], 255))
	}
	switch {
	case value == "inherit", value == "initial", value == "unset", value == "currentcolor", strings.HasPrefix(value, "var("):
		return ""
	case strings.HasPrefix(value, "#"):
		return longHex(value)
	}
	return value
}

// longHex converts "#rgb", "#rgba" and "#rrggbbaa" to "#rrggbb".
func longHex(value string) string {
	switch len(value) {
	case 4, 5:
		long := "#"
		for _, c := range value[1:] {
			long += string(c) + string(c)
		}
		return longHex(long)
	case 9:
		if value[7:] == "00" {
			return transparent
		}
		return value[:7]
	}
	return value
}

// background returns the color behind an element's letters: its own, "" (unknown) if
// it has a background image, or else that of its parent.
func background(d map[string]string, attribute, parent string) string {
	value := first(d["background-color"], d["background"], attribute)
	if strings.Contains(d["background"]+d["background-image"], "(") && !strings.HasPrefix(d["background"], "rgb") {
		return ""
	}
	for _, v := range []string{value, strings.SplitN(value+" ", " ", 2)[0]} {
		c := color(v)
		if c == transparent || value == "none" {
			return parent
		}
		if strings.HasPrefix(c, "#") || v == value && c != "" && !strings.Contains(c, " ") {
			return c
		}
	}
	return parent
}

// alike reports whether letters of color a cannot be told from a background of
// color b: each channel differs by at most 8 of 255.
func alike(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	var x, y [3]int
	_, errA := fmt.Sscanf(a, "#%02x%02x%02x", &x[0], &x[1], &x[2])
	_, errB := fmt.Sscanf(b, "#%02x%02x%02x", &y[0], &y[1], &y[2])
	if errA != nil || errB != nil {
		return a == b
	}
	for i := range x {
		if d := x[i] - y[i]; d > 8 || d < -8 {
			return false
		}
	}
	return true
}
