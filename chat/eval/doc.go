// Package eval holds interviews with simulated people and measures them.
//
//	Persona   a file: who the person is, what is true of them (gold), how they say it
//	Person    answers questions as the file says; sees the question and nothing else
//	Host      one session; Room is the one over chat.Engine and its database
//	Run       a whole interview, turn by turn, into a Transcript
//	Measure   Transcript and gold into a Result; pure, from the audit trail, not from trust
//	Scorecard results and their totals, as JSON and Markdown; Compare sets two side by side
//	Calibrate how honest the confidences are
//
// The package asks nothing of the interviewer but turns, so the rules and a model
// are measured alike. It owns no rows: a run is an ordinary session.
//
// # Persona files
//
// A persona is one JSON object in personas/CONTEXT/NAME.json. Fields that are not
// listed here are refused, and so are values the objective could not store. In
// every text and gold value {year}, {year+1}, {year-7} stand for a year counted
// from the one the file is read in, so that a date ahead stays ahead.
//
//	about           one sentence: who this is
//	kind            cooperative, terse, rambling, contradictory, refusing or changing_mind
//	facts           what is true, one entry an obligation key:
//	  key           the obligation
//	  gold          the value as it is stored; absent when the person holds none
//	  say           phrasings, the n-th for the n-th attempt, the last from then on;
//	                a text that is said as it is may leave it out
//	  widget        true: fills in the widget with gold and types nothing
//	  as            unknown, declines, not_applicable: answers so each time (say
//	                overrides the words); later: puts it off once, then says it
//	volunteers      said beside an answer, unasked: say, when, keys (what it tells)
//	corrections     says first (value was) until when, then say; gold is right from
//	                then on: exactly one revision is expected
//	contradictions  said beside an answer, differs from gold: key, value, say, when;
//	                asked which holds, the person names gold
//	asides          chit-chat and other topics instead of an answer: say, when; must
//	                fill nothing
//	questions       questions instead of an answer, such as "why do you ask?": say, when
//	replies         confirm, finish, unknown, decline, notApplicable, later: phrasings;
//	                finish goes by how often the end was offered, the rest by attempt
//	forms           widgets (default) or words: how forms are answered
//	conflicts       place (default, "the second one") or words (says the fact again)
//
// when is {"turn": n}, from that turn on, or {"after": key}, once the person told
// that key. Each such line is said once. A key without a fact is not known to the
// person.
package eval
