package webtest

import (
	"unicode/utf16"
)

func Coordinate(s string) int { return len(utf16.Encode([]rune(s))) }
