package chat

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// humanAct is the act of a remark by which the person asks for a human being.
const humanAct = "human"

// AsksForHuman reports whether a message asks to speak to a human being.
func AsksForHuman(u *Understanding) bool { return slices.ContainsFunc(u.Beside, asksForHuman) }

// asksForHuman reports whether a remark is such a wish, or a question for such a person.
func asksForHuman(r Remark) bool { return r.Act == humanAct || r.About == humanAct }

// WishForHuman is the remark that text is a wish to speak to a human being.
func WishForHuman(text string) Remark { return Remark{Intent: AskMeta, Act: humanAct, Text: text} }

// readHandover notes the wish for a human being where the interviewer missed it. Whatever
// else the message says counts as it did.
func readHandover(s *Scene, u Understanding) Understanding {
	if wish := humanWish(s.Message); wish != "" && !AsksForHuman(&u) {
		u.Beside = append(slices.Clip(u.Beside), WishForHuman(wish))
		u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool { // the wish is no answer
			return f.Evidence.Kind == obligations.Stated && strings.Contains(wish, f.Evidence.Quote)
		})
	}
	if AsksForHuman(&u) && len(u.Findings) == 0 && slices.Contains(idleIntents, u.Intent) {
		u.Intent, u.Refused = AskMeta, nil
	}
	return u
}

// idleIntents are what a message that only asks for a human being may have been taken for.
var idleIntents = []Intent{"", Answer, Agree, Disagree, Unclear, OffTopic, SmallTalk, AskHelp, AskWhy, SkipThis}

// IsWishForHuman reports whether a message is such a wish whatever an interviewer makes of
// it: a reply that begins before a model has read the message is made for it.
func IsWishForHuman(message string) bool { return humanWish(message) != "" }

// announcedHandover returns the remark of [IsWishForHuman], for a plan that is made before a
// model has read the message.
func announcedHandover(s *Scene) []Remark {
	if wish := humanWish(s.Message); wish != "" {
		return []Remark{WishForHuman(wish)}
	}
	return nil
}

// handover returns the event that the person has asked for a human being in the turn; nil
// when they did not, or reviewers were told before and nobody has got in touch since.
func handover(s *Scene, u *Understanding, session *sessions.Session) *sessions.HandoverEvent {
	if !AsksForHuman(u) || session.Handover != nil {
		return nil
	}
	return &sessions.HandoverEvent{Turn: s.Turn, Change: sessions.HandoverAsked, By: s.Person}
}

// longestHandover bounds the sentences that are read, in words: a wish is short, and a long
// sentence tells a story.
const longestHandover = 40

// humanWish returns the words of a message that ask for a human being, in English or
// German; "" when none do.
//
// A sentence is a wish when the person themselves wants to talk to, reach or be called by a
// human being, or asks whether there is one. What others want, what is quoted, and whom the
// person talks to in their work is none.
func humanWish(message string) string {
	var st stretch
	quoted, end := false, 0
	for _, w := range language.Words(message) {
		stops := strings.Contains(message[end:w.From], "\n")
		end = w.To
		switch w.Text {
		case "\"", "“", "”", "„", "«", "»":
			quoted = !quoted && len(st.words) > 0 // a message may be quoted as a whole
			continue
		case ".", "?", "!", ";", "…":
			stops = true
		}
		if stops {
			if wish := st.wish(message); wish != "" {
				return wish
			}
			st = stretch{}
		}
		if !quoted {
			st.add(w)
		}
	}
	return st.wish(message)
}

// stretch is a sentence as the patterns read it: its words, folded, with single spaces.
type stretch struct {
	text    strings.Builder
	words   []language.Word
	starts  []int // of each word, in text
	clauses []int // where a clause begins, in text
}

// add adds a word; marks only part clauses.
func (st *stretch) add(w language.Word) {
	if r, _ := utf8.DecodeRuneInString(w.Text); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		if w.Text == "," || w.Text == ":" || w.Text == "–" || w.Text == "—" {
			st.clauses = append(st.clauses, st.text.Len()+1)
		}
		return
	}
	if len(st.words) > 0 {
		st.text.WriteByte(' ')
	}
	st.words, st.starts = append(st.words, w), append(st.starts, st.text.Len())
	st.text.WriteString(spelledOut.Replace(language.Fold(w.Text)))
}

// wish returns the words of the sentence that ask for a human being; "" when none do.
func (st *stretch) wish(message string) string {
	text := st.text.String()
	if len(st.words) == 0 || len(st.words) > longestHandover {
		return ""
	}
	for _, begin := range append([]int{0}, st.clauses...) {
		from, to := 0, 0 // the longest
		for _, p := range humanPatterns {
			at := p.FindStringIndex(text[min(begin, len(text)):])
			if at != nil && at[1]-at[0] > to-from && !othersWish.MatchString(text[:begin+at[0]]) {
				from, to = begin+at[0], begin+at[1]
			}
		}
		if to > 0 {
			first, _ := slices.BinarySearch(st.starts, from)
			last, _ := slices.BinarySearch(st.starts, to)
			return message[st.words[min(first, last-1)].From:st.words[last-1].To]
		}
	}
	return ""
}

// spelledOut undoes contractions.
var spelledOut = strings.NewReplacer("i'd", "i would", "we'd", "we would", "gibt's", "gibt es", "gibts", "gibt es", "who's", "who is", "n't", " not")

// othersWish finds words before a wish that make it somebody else's, or a tale.
var othersWish = regexp.MustCompile(`\b(customers?|clients?|users?|patients?|guests?|visitors?|callers?|people|they|he|she|who|whether|if|asks?|asked|says?|said|option|` +
	`kunden|kunde|kundin|kundinnen|klienten|nutzer|nutzerinnen|patienten|gaeste|anrufer|leute|sie wollen|sie moechten|er|ob|wenn|falls|fragt|fragen|sagt|sagen|sagte|sagten)\b`)

// humanPatterns are what wishes look like, in the folded words of a sentence. {names} stand
// for the alternatives of [humanWords].
var humanPatterns = compileHuman(
	// English
	`\b(can|could|may|might|shall) (i|we) {soft}{talk} {human}{end}`,
	`\b(can|could|may|might) (i|we) {soft}(have|get) {real}{end}`,
	`\b(i|we) {want} {soft}(to )?{soft}(be able to )?{talk} {human}{end}`,
	`\b(i|we) {want} {soft}(to )?{soft}(have |get )?{real}{end}`,
	`\b(i|we) (do not|dont|would rather not|will not|wo not|refuse to)( want| like| wish)?( to)? (speak|talk|chat|write|deal|answer)( to| with)? (a|an|some|this) (stupid |dumb )?{machine}\b`,
	`^{open}(is|are) there {soft}(a|an|any|some) {person}{end}`,
	`^{open}(is|are) there {soft}(a |an |any |some )?({person}|one|anyone|anybody|someone|somebody)( else)?( here| there)?( (that|who|whom) )? ?(i|we) (can|could|may) {soft}(speak|talk|write|turn|reach|call|contact)\b( to| with)?`,
	`^{open}(is|are) there {soft}(a |an |any |some )?({person}|anyone|anybody|someone|somebody)( else)?( here| there)? to (speak|talk|write|turn) (to|with)\b`,
	`^{open}(do|have) you (have |got ){soft}(a|an|any) {person}{end}`,
	`\b(connect|transfer|put|hand|pass|forward|escalate|switch|refer) (me|us|this) {soft}(over |through |on |up )?(to|with) {human}{end}`,
	`\b(get|give|send|find|bring) (me|us) {soft}{human}{end}`,
	`\blet (me|us) {soft}{talk} {human}{end}`,
	`^{open}(how|where) (can|could|do|may|should) (i|we) {soft}(speak to|speak with|talk to|talk with|reach|contact|get hold of|get) {human}{end}`,
	`^{open}who(m)? (can|could|may|should|do) (i|we) {soft}(speak|talk|turn|contact|reach|call|get in touch)\b( with| to)?{end}`,
	`^{open}(can|could|would|will) {human} {from}{soft}(call|phone|ring|contact|get back to|get in touch with|reach out to|speak to|speak with|talk to|talk with) (me|us)\b`,
	`\b(have|ask|tell|let) {human} {from}(to )?(call|phone|ring|contact|get back to|get in touch with) (me|us)\b`,
	`^{open}(please )?(an? )?({real}|agent|representative|operator|person)( please)( now)?$`,
	`^{open}please (an? )?({real}|agent|representative|operator|person)( now)?$`,
	`^(an? )?{real}( now)?$`,

	// German
	`\b(kann|koennte|koennen|koennten|darf|duerfte|duerfen) (ich|wir|man) {weich}mit {mensch} {weich}{reden}`,
	`\b(ich|wir) {will} {weich}mit {mensch} {weich}{reden}`,
	`\b{will} (ich|wir) {weich}mit {mensch} {weich}{reden}`,
	`\b(ich|wir) {will} {weich}(einen|eine) {echter} (menschen|person|mitarbeiter|mitarbeiterin|ansprechpartner|ansprechpartnerin|berater){ende}`,
	`\b(ich|wir) {will} {weich}(einen )?menschen {weich}(sprechen|haben|erreichen)\b`,
	`\b(ich|wir) {will} {weich}(nicht|ungern) {weich}mit (einer|einem|so einer|so einem|dieser|diesem) ({echter} )?{maschine} {weich}{reden}`,
	`\b(ich|wir) brauche(n)? {weich}(einen )?(echten )?(menschen|ansprechpartner|ansprechpartnerin){ende}`,
	`^{auf}(gibt|gaebe) (es|s) {weich}(einen|eine|irgendeinen|irgendeine|keinen|keine) {person_de}{ende}`,
	`^{auf}(gibt|gaebe) (es|s) {weich}(jemand|jemanden|irgendjemanden|wen|(einen|eine) {person_de}) (hier )?(mit dem|mit der|den|die|an den|an die|der mit mir)\b`,
	`^{auf}(ist|sitzt) {weich}(da |hier |dort ){weich}(ein|eine|irgendein|irgendwo ein) {echter} {person_de}`,
	`^{auf}(ist|sitzt) {weich}(da |hier |dort )?{weich}(jemand|wer|ein mensch) (mit dem|den) (ich|man|wir)\b`,
	`^{auf}(haben sie|habt ihr|hast du) {weich}(einen|eine|keinen) {person_de}{ende}`,
	`\b(verbinden sie|verbinde|verbindet) (mich|uns) {weich}mit {mensch}`,
	`\b(koennen|koennten|wuerden) sie (mich|uns) {weich}(mit|an|zu) ({mensch}|(einen|eine|jemanden)( {person_de})?) {weich}(verbinden|weiterleiten|durchstellen|vermitteln|weitergeben)\b`,
	`\b(leiten|stellen|geben) sie (mich|uns) {weich}(an|zu|mit) ({mensch}|(einen|eine|jemanden)( {person_de})?)`,
	`\b(geben|holen|schicken) sie (mir|uns) {weich}(einen|eine|jemanden)( {echter})? ?{person_de}?{ende}`,
	`^{auf}(bitte )?(einen |ein )?({echter} )?(mensch|menschen|mitarbeiter|mitarbeiterin|berater|ansprechpartner|agent|agenten) bitte$`,
	`^{auf}bitte (einen |ein )?({echter} )?(mensch|menschen|mitarbeiter|mitarbeiterin|berater|ansprechpartner|agent|agenten)$`,
	`^{auf}an wen (kann|koennte|darf|muss|soll) (ich mich|man sich|wir uns) {weich}wenden\b`,
	`^{auf}(mit wem|wen) (kann|koennte|darf|koennen) (ich|man|wir) {weich}(sprechen|reden|anrufen|kontaktieren|erreichen|ansprechen)$`,
	`^{auf}wie (kann|koennte|koennen) (ich|man|wir) {weich}(einen|eine|jemanden|mit einem|mit jemandem) ?({echter} )?({person_de} )?{weich}(erreichen|sprechen|kontaktieren|reden)\b`,
	`^{auf}wie erreiche ich {weich}(einen|eine|jemanden)( {echter})?( {person_de})?{ende}`,
	`^{auf}wer ist {weich}(mein|meine|unser|unsere|hier der|hier die|der|die) (ansprechpartner|ansprechpartnerin|ansprechperson|kontaktperson)( hier| bei ihnen| fuer mich| dafuer)?$`,
	`^{auf}(kann|koennte|wuerde) (mich|uns|sich) {weich}(bitte )?(jemand|ein mensch|ein mitarbeiter|eine mitarbeiterin|wer) {von}{weich}(anrufen|zurueckrufen|kontaktieren|bei mir melden|bei uns melden|melden)\b`,
	`^{auf}(kann|koennte|wuerde) (bitte )?(jemand|ein mensch|ein mitarbeiter|eine mitarbeiterin) {von}{weich}(mich|uns|sich bei mir|sich bei uns|mit mir|mit uns) {weich}(anrufen|zurueckrufen|kontaktieren|melden|sprechen|reden)\b`,
)

// humanWords are the alternatives of [humanPatterns].
var humanWords = strings.NewReplacer(
	// English
	"{soft}", `(?:(?:please|just|maybe|perhaps|also|now|actually|really|rather|instead|possibly|simply|directly|only|here|somehow|first|very much|at least|at some point|currently) ){0,3}`,
	"{talk}", `(?:speak|talk|chat|write|get through|be connected|be put through|be transferred|be passed on|be forwarded|get connected|get) (?:directly |personally )?(?:to|with)`,
	"{want}", `(?:want|wanna|need|wish|prefer|would like|would love|would prefer|would rather|have|demand)`,
	"{human}", `(?:(?:a |an |some |any |one of |the )?(?:your |you )?(?:real |actual |live |living |human |other )?`+
		`(?:human(?: being)?|humans|person|people|someone|somebody|anyone|anybody|agent|representative|rep|operator|employee|adviser|advisor|consultant|colleagues?|staff|staff member|member of staff|contact person|supervisor|manager|team))`,
	"{real}", `(?:(?:a |an |some )?(?:(?:real|actual|live|living) (?:human(?: being)?|person|people|agent|representative|human)|human(?: being| agent| operator| representative)?|contact person))`,
	"{person}", `(?:(?:real |actual |live |living |human )*(?:human(?: being)?|humans|real person|actual person|live person|live agent|human agent|contact person|contact|person|people|representative))`,
	"{machine}", `(?:robot|bot|chat ?bot|machine|computer|ai|program|programme|software|algorithm)`,
	"{open}", `(?:(?:and|but|so|ok|okay|well|hello|hi|hey|yes|no|sorry|please|excuse me|thanks|then|hm|also) ){0,3}`,
	"{end}", `(?:$| (?:please|now|here|instead|directly|about (?:this|that|it|my|our|all)|on the phone|by phone|in person|today|at all|too|or|and|because|from (?:you|your|the team|quaestor)|`+
		`(?:in|on|of) your|for|before|rather|first|soon|not (?:a|an|to|with)|and not|i (?:can|could)|to (?:speak|talk|help|contact|me)|who (?:can|could|will)|at your|behind|anywhere|available|there|with whom|but|then|asap|immediately|right now|again|if) ?\b)`,

	"{from}", `(?:(?:from|of|on|in|at) (?:you|your (?:team|company|side|office|people)|the team) )?`,

	// German
	"{weich}", `(?:(?:bitte|auch|mal|hier|jetzt|vielleicht|einmal|doch|denn|gern|gerne|lieber|direkt|persoenlich|telefonisch|eigentlich|irgendwie|irgendwann|einfach|nur|erst|zuerst|dann|darueber|dazu|stattdessen|selbst|noch|sofort|da|dort|bei ihnen|von ihnen|ueberhaupt|moeglicherweise|kurz|aus ihrem (?:team|haus|unternehmen)|am telefon|von euch|in ruhe|per telefon|statt mit \pL+ \pL+) ){0,4}`,
	"{mensch}", `(?:(?:einem|einer|jemandem|jemand|irgendjemandem|ihrem|ihren|ihnen|einem ihrer|einer ihrer|dem|der|nem|ner|wem)(?: (?:echten|echtem|richtigen|realen|lebenden|lebendigen|wirklichen|menschlichen|anderen|anderem|zustaendigen))?`+
		`(?: (?:menschen|mensch|person|mitarbeiter|mitarbeiterin|mitarbeitern|mitarbeitenden|ansprechpartner|ansprechpartnerin|ansprechperson|berater|beraterin|kollegen|kollegin|sachbearbeiter|sachbearbeiterin|kundenberater|agenten|team|support|kundendienst|kundenservice))?|echten menschen|richtigen menschen)`,
	"{reden}", `(?:sprechen|reden|telefonieren|chatten|schreiben|kommunizieren|verbunden werden|sprechen koennen|reden koennen|unterhalten|zu tun haben|in kontakt treten)\b`,
	"{will}", `(?:moechte|moechten|will|wollen|wuerde|wuerden|muss|muessen|haette|haetten|wuensche|brauche|verlange|kann|mag)`,
	"{echter}", `(?:echte|echter|echten|richtige|richtiger|richtigen|reale|realer|realen|lebende|lebender|lebenden|wirkliche|wirklicher|wirklichen|menschliche|menschlicher|menschlichen|lebendigen|lebendiger)`,
	"{person_de}", `(?:(?:echte|echter|echten|richtigen|richtiger|realen|menschlichen|menschlicher|lebenden|konkreten|festen|direkten|persoenlichen) )?(?:mensch|menschen|person|ansprechpartner|ansprechpartnerin|ansprechperson|kontaktperson|kontakt|mitarbeiter|mitarbeiterin|berater|beraterin)`,
	"{maschine}", `(?:maschine|roboter|bot|chatbot|computer|ki|programm|software|automaten|algorithmus)`,
	"{auf}", `(?:(?:und|aber|also|ok|okay|hallo|guten tag|ja|nein|entschuldigung|bitte|sorry|danke|dann|hm|sagen sie|moment) ){0,3}`,
	"{von}", `(?:(?:von ihnen|aus ihrem team|aus ihrem haus|vom team|von euch) )?`,
	"{ende}", `(?:$| (?:bitte|hier|jetzt|dafuer|dazu|fuer (?:mich|uns|fragen|rueckfragen)|bei ihnen|von ihnen|sprechen|reden|oder|und|der mir|die mir|mit (?:dem|der)|den ich|die ich|an den|an die|zum|am telefon|statt|keine|kein|sonst|auch|erreichen|in ihrem|aus ihrem|haben)\b)`,
)

// compileHuman compiles patterns with the alternatives in their places.
func compileHuman(patterns ...string) []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(patterns))
	for i, p := range patterns {
		out[i] = regexp.MustCompile(humanWords.Replace(p))
	}
	return out
}
