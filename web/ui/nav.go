package ui

// Place is a part of the product that the head of every page leads to.
type Place string

// The places, in the order they are offered.
const (
	AtInterviews Place = "interviews"
	AtResearch   Place = "research"
	AtData       Place = "data"
	AtReview     Place = "review"
	AtObjectives Place = "objectives"
	AtManage     Place = "manage"
)

// Nav says where a page lies, and where its reader may go. The zero Nav leads
// home only, as guests and strangers are led.
type Nav struct {
	Here   Place   // empty for a page that is in none of them
	Places []Place // that the reader may go to, in order
	News   int     // alerts of findings that the reader watches and has not read
	User   string  // who signed in with this browser; empty for who came otherwise
}

// name is what p is called.
func (p Place) name() string {
	return map[Place]string{AtInterviews: "Interviews", AtResearch: "Research", AtData: "Data", AtReview: "Review", AtObjectives: "Objectives", AtManage: "Manage"}[p]
}

// path is where p begins.
func (p Place) path() string {
	return map[Place]string{AtInterviews: "/", AtResearch: "/research", AtData: "/data", AtReview: "/review", AtObjectives: "/objectives", AtManage: "/admin/jobs"}[p]
}

// looks are the ways pages can look, with the words and the icon of each.
var looks = []struct{ Value, Icon, Name string }{
	{"", "system", "As the system has it"},
	{"light", "light", "Light"},
	{"dark", "dark", "Dark"},
}
