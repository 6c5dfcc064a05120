package ui

import (
	"fmt"
)

// NextPath is path when there is a cursor of a next page, else empty.
func NextPath(cursor, path string) string {
	if cursor == "" {
		return ""
	}
	return path
}

// ExportPath is where a session's result is had in a format: md, json or csv.
func ExportPath(session, format string) string {
	return fmt.Sprintf("/api/v1/sessions/%s/export?format=%s", session, format)
}

// download is a way to have a session's result as a file.
type download struct{ Format, Name string }

// Downloads returns those that need no room to explain, in the order offered. They are
// named as on the page of a brief.
func Downloads() []download {
	return []download{{"md", "Markdown"}, {"csv", "CSV"}, {"json", "JSON"}}
}

// BriefPath is the page that sums an interview up.
func BriefPath(session string) string { return "/s/" + session + "/brief" }
