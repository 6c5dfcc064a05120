package reading

// Aside is what a set phrase about the talk itself asks of the interviewer. It answers nothing.
type Aside string

// The asides.
const (
	AsideWait   Aside = phraseWait   // wants a moment
	AsideGoBack Aside = phraseGoBack // wants to talk of an earlier question again
	AsideGoOn   Aside = phraseGoOn   // did not want to stop
	AsideChoose Aside = phraseChoose // wants the interviewer to choose
	AsideManner Aside = "manner"     // asks for a manner of talking: brief, formal, with examples
)

// AsideOf returns the first aside of a message; "" for none.
func AsideOf(message string) Aside {
	u := cut(message)
	for _, c := range u.clauses(u.all()) {
		kind := u.phraseIn(c)
		if _, manner := styleRequests[kind]; manner {
			return AsideManner
		}
		switch a := Aside(kind); a {
		case AsideWait, AsideGoBack, AsideGoOn, AsideChoose:
			return a
		}
	}
	return ""
}
