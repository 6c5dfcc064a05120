package repair

import "strings"

// layout lists the notation of the parts of a date format. A part has the same index in all
// layouts.
type layout []string

var (
	percentMySQL = layout{"%Y", "%y", "%M", "%b", "%m", "%d", "%H", "%h", "%i", "%s", "%W", "%a", "%j", "%p", "%v"}
	percentC     = layout{"%Y", "%y", "%B", "%b", "%m", "%d", "%H", "%I", "%M", "%S", "%A", "%a", "%j", "%p", "%V"}
	toChar       = layout{"YYYY", "YY", "Month", "Mon", "MM", "DD", "HH24", "HH12", "MI", "SS", "Day", "Dy", "DDD", "AM", "IW"}
)

// translate translates a format from one layout to another. The longest notation wins at each
// place, so that HH24 is not read as HH. Characters that are no part of from are copied.
func translate(format string, from, to layout) string {
	var b strings.Builder
	for format != "" {
		part, at := "", -1
		for i, p := range from {
			if len(p) > len(part) && strings.HasPrefix(format, p) {
				part, at = p, i
			}
		}
		if at < 0 {
			b.WriteByte(format[0])
			format = format[1:]
			continue
		}
		b.WriteString(to[at])
		format = format[len(part):]
	}
	return b.String()
}
