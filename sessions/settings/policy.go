package settings

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/sessions/objectives"
)

// Policy is what an organisation has set. A nil field leaves the value to the server. 0
// means no limit, and for days that things are kept forever, unless the field says
// otherwise.
type Policy struct {
	SessionTurns   *int     `json:"sessionTurns,omitempty" minimum:"0" maximum:"1000000" doc:"turns an interview may take; 0 for no bound, absent for the server's"`
	SessionMinutes *float64 `json:"sessionMinutes,omitempty" minimum:"0" maximum:"1000000" doc:"minutes of active time an interview may take"`
	SessionMoney   *float64 `json:"sessionMoney,omitempty" minimum:"0" maximum:"1000000" doc:"what models may cost for an interview, in the currency of the server's prices"`
	ResearchDaily  *int     `json:"researchDaily,omitempty" minimum:"0" maximum:"1000000" doc:"pieces of research that may begin in 24 hours; 0 lets none begin"`

	KeptFinishedDays *int `json:"keptFinishedDays,omitempty" minimum:"0" maximum:"36500" doc:"days after its last change that a finished interview is deleted; 0 for never"`
	KeptIdleDays     *int `json:"keptIdleDays,omitempty" minimum:"0" maximum:"36500" doc:"days after its last change that an open interview is deleted; 0 for never"`
	KeptPromptsDays  *int `json:"keptPromptsDays,omitempty" minimum:"0" maximum:"36500" doc:"days that what models were asked and answered is kept for reviewers; 0 for not at all"`
	KeptJobsDays     *int `json:"keptJobsDays,omitempty" minimum:"0" maximum:"30" doc:"days that failed and cancelled jobs are kept, 30 at most; 0 for those 30"`
	KeptAlertsDays   *int `json:"keptAlertsDays,omitempty" minimum:"0" maximum:"36500" doc:"days after they were read that alerts on findings are deleted; 0 for never, and one that nobody has read is kept"`

	KeptRecordingsDays *int `json:"keptRecordingsDays,omitempty" minimum:"0" maximum:"36500" doc:"days that the sound of what people say is kept, of those who agree; 0 records nothing and deletes what was recorded"`

	SpeechVoice    *string  `json:"speechVoice,omitempty" minLength:"1" maxLength:"60" doc:"voice that interviews are spoken with, by its name in whatever speaks; a session may have its own"`
	SpeechSpeed    *float64 `json:"speechSpeed,omitempty" minimum:"0.5" maximum:"2" doc:"how fast interviews are spoken; 1 is the voice's own speed"`
	SpeechLanguage *string  `json:"speechLanguage,omitempty" minLength:"2" maxLength:"35" doc:"variety of its language in which an interview is heard and spoken, such as en-GB for interviews in English; others are as they are"`

	Contact *string `json:"contact,omitempty" minLength:"1" maxLength:"300" doc:"whom people can reach who ask for a human being, such as a name and a telephone number; said to them word for word"`
}

// Values are the settings in force. Every field has a value, with 0 as in [Policy].
type Values struct {
	SessionTurns   int     `json:"sessionTurns"`
	SessionMinutes float64 `json:"sessionMinutes"`
	SessionMoney   float64 `json:"sessionMoney"`
	ResearchDaily  int     `json:"researchDaily"`

	KeptFinishedDays int `json:"keptFinishedDays"`
	KeptIdleDays     int `json:"keptIdleDays"`
	KeptPromptsDays  int `json:"keptPromptsDays"`
	KeptJobsDays     int `json:"keptJobsDays"`
	KeptAlertsDays   int `json:"keptAlertsDays"`

	KeptRecordingsDays int `json:"keptRecordingsDays"`
}

// Over returns the settings in force: the organisation's where it has set them,
// otherwise the server's.
func (p Policy) Over(server Values) Values {
	return Values{
		SessionTurns: or(p.SessionTurns, server.SessionTurns), SessionMinutes: or(p.SessionMinutes, server.SessionMinutes),
		SessionMoney: or(p.SessionMoney, server.SessionMoney), ResearchDaily: or(p.ResearchDaily, server.ResearchDaily),
		KeptFinishedDays: or(p.KeptFinishedDays, server.KeptFinishedDays), KeptIdleDays: or(p.KeptIdleDays, server.KeptIdleDays),
		KeptPromptsDays: or(p.KeptPromptsDays, server.KeptPromptsDays), KeptJobsDays: or(p.KeptJobsDays, server.KeptJobsDays),
		KeptAlertsDays: or(p.KeptAlertsDays, server.KeptAlertsDays), KeptRecordingsDays: or(p.KeptRecordingsDays, server.KeptRecordingsDays),
	}
}

// or returns what is set, otherwise the default.
func or[T any](set *T, otherwise T) T {
	if set != nil {
		return *set
	}
	return otherwise
}

// Budget returns the limits of an interview that v sets.
func (v Values) Budget() objectives.Budget {
	return objectives.Budget{Turns: v.SessionTurns, Minutes: v.SessionMinutes, Money: v.SessionMoney}
}

// Prompts returns how long calls of models are kept; 0 keeps none.
func (v Values) Prompts() time.Duration { return time.Duration(v.KeptPromptsDays) * 24 * time.Hour }

// Bounds of what can be set.
const (
	maxBound = 1_000_000
	maxDays  = 36_500
	maxWords = 300 // characters
	jobDays  = 30  // the queue itself keeps ended jobs no longer
)

// languageTag matches a BCP 47 tag as far as interviews use them.
var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)

// Field is one setting, for forms and error messages.
type Field struct {
	Name  string         // as in JSON
	Whole bool           // it takes whole numbers only
	Words bool           // it takes a line of text, no number
	Least float64        // of a number
	Most  float64        // of text in characters
	Shape *regexp.Regexp // of text; nil for any
	place func(*Policy) place
}

// place is where a policy holds a setting: one of the three.
type place struct {
	whole  **int
	amount **float64
	words  **string
}

// Fields lists the settings in the order of the form.
func Fields() []Field {
	whole := func(name string, most float64, at func(*Policy) **int) Field {
		return Field{Name: name, Whole: true, Most: most, place: func(p *Policy) place { return place{whole: at(p)} }}
	}
	amount := func(name string, at func(*Policy) **float64) Field {
		return Field{Name: name, Most: maxBound, place: func(p *Policy) place { return place{amount: at(p)} }}
	}
	return []Field{
		whole("sessionTurns", maxBound, func(p *Policy) **int { return &p.SessionTurns }),
		amount("sessionMinutes", func(p *Policy) **float64 { return &p.SessionMinutes }),
		amount("sessionMoney", func(p *Policy) **float64 { return &p.SessionMoney }),
		whole("researchDaily", maxBound, func(p *Policy) **int { return &p.ResearchDaily }),
		whole("keptFinishedDays", maxDays, func(p *Policy) **int { return &p.KeptFinishedDays }),
		whole("keptIdleDays", maxDays, func(p *Policy) **int { return &p.KeptIdleDays }),
		whole("keptPromptsDays", maxDays, func(p *Policy) **int { return &p.KeptPromptsDays }),
		whole("keptJobsDays", jobDays, func(p *Policy) **int { return &p.KeptJobsDays }),
		whole("keptAlertsDays", maxDays, func(p *Policy) **int { return &p.KeptAlertsDays }),
		whole("keptRecordingsDays", maxDays, func(p *Policy) **int { return &p.KeptRecordingsDays }),
		{Name: "speechVoice", Words: true, Most: 60, place: func(p *Policy) place { return place{words: &p.SpeechVoice} }},
		{Name: "speechSpeed", Least: 0.5, Most: 2, place: func(p *Policy) place { return place{amount: &p.SpeechSpeed} }},
		{Name: "speechLanguage", Words: true, Most: 35, Shape: languageTag, place: func(p *Policy) place { return place{words: &p.SpeechLanguage} }},
		{Name: "contact", Words: true, Most: maxWords, place: func(p *Policy) place { return place{words: &p.Contact} }},
	}
}

// Of returns the field of p as text; empty when p leaves it to the server.
func (f Field) Of(p Policy) string {
	at := f.place(&p)
	switch {
	case at.whole != nil && *at.whole != nil:
		return strconv.Itoa(**at.whole)
	case at.amount != nil && *at.amount != nil:
		return strconv.FormatFloat(**at.amount, 'f', -1, 64)
	case at.words != nil && *at.words != nil:
		return **at.words
	}
	return ""
}

// Put sets a field of p from text; an empty text leaves it to the server. An invalid
// value is Unprocessable at the field, and p stays as it is.
func (f Field) Put(p *Policy, text string) error {
	at := f.place(p)
	if text = oneLine(text); text == "" {
		at.clear()
		return nil
	}
	if at.words != nil {
		if n := utf8.RuneCountInString(text); n > int(f.Most) {
			return fault.New(fault.Unprocessable, "has at most %.0f characters, not %d", f.Most, n).At(f.Name)
		}
		if f.Shape != nil && !f.Shape.MatchString(text) {
			return fault.New(fault.Unprocessable, "must be a tag such as en-GB or de").At(f.Name)
		}
		*at.words = &text
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fault.New(fault.Unprocessable, "must be a number, or empty for what the server says").At(f.Name)
	}
	if err := f.check(n); err != nil {
		return err
	}
	if at.whole != nil {
		i := int(n)
		*at.whole = &i
	} else {
		*at.amount = &n
	}
	return nil
}

// oneLine returns text on one line, without control characters and space around it.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// clear leaves a setting to the server.
func (at place) clear() {
	switch {
	case at.whole != nil:
		*at.whole = nil
	case at.amount != nil:
		*at.amount = nil
	case at.words != nil:
		*at.words = nil
	}
}

// check refuses a number that the field does not take.
func (f Field) check(n float64) error {
	switch {
	case math.IsNaN(n) || n < f.Least || n > f.Most:
		return fault.New(fault.Unprocessable, "must be %v to %.0f, not %v", f.Least, f.Most, n).At(f.Name)
	case f.Whole && n != math.Trunc(n):
		return fault.New(fault.Unprocessable, "must be a whole number, not %v", n).At(f.Name)
	case math.Round(n*1e4)/1e4 != n:
		return fault.New(fault.Unprocessable, "has four decimal places at most").At(f.Name)
	}
	return nil
}

// Check returns the first invalid setting as Unprocessable at its field; nil when all
// are valid.
func (p Policy) Check() error {
	for _, f := range Fields() {
		if err := f.Put(&p, f.Of(p)); err != nil { // p is a copy
			return err
		}
	}
	return nil
}

// tidy returns p with its texts as they are stored.
func (p Policy) tidy() Policy {
	for _, f := range Fields() {
		if f.Words {
			_ = f.Put(&p, f.Of(p)) // it was checked; p is a copy
		}
	}
	return p
}

// Change is a setting that got another value. Empty stands for the server's.
type Change struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// Changes lists the settings in which to differs from p.
func (p Policy) Changes(to Policy) []Change {
	var out []Change
	for _, f := range Fields() {
		if before, after := f.Of(p), f.Of(to); before != after {
			out = append(out, Change{f.Name, before, after})
		}
	}
	return out
}
