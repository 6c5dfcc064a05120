package projects

import "strings"

// Line is a line of a comparison.
type Line struct {
	Text string
	Mark string // "-" was there before, "+" is there now, "" in both
}

// maxCompared bounds the lines of each text that are compared, because the comparison takes their
// product. Beyond it a text counts as replaced.
const maxCompared = 2000

// Lines compares two texts line by line, by their longest common subsequence (Wagner and Fischer,
// 1974).
func Lines(before, now string) []Line {
	a, b := strings.Split(plainText(before), "\n"), strings.Split(plainText(now), "\n")
	if len(a) > maxCompared || len(b) > maxCompared {
		return append(marked(a, "-"), marked(b, "+")...)
	}
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width) // of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	var out []Line
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, Line{a[i], ""})
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			out = append(out, Line{a[i], "-"})
			i++
		default:
			out = append(out, Line{b[j], "+"})
			j++
		}
	}
	return append(append(out, marked(a[i:], "-")...), marked(b[j:], "+")...)
}

// marked returns lines with a mark.
func marked(list []string, mark string) []Line {
	out := make([]Line, len(list))
	for i, text := range list {
		out[i] = Line{text, mark}
	}
	return out
}
