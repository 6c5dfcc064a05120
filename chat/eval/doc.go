// Package eval interviews simulated people and measures the interviews.
//
//	Persona    a file: who the person is, what is true of them (gold), how they say it
//	Person     answers questions as the file states; sees the question and nothing else
//	Host       one session: EngineHost uses chat.Engine and its database, MemoryHost neither
//	Run        a whole interview, turn by turn, as a Transcript
//	Measure    compares a Transcript with gold; pure, and based on the audit trail alone
//	Scorecard  results and their totals, as JSON and Markdown; Compare shows two side by side
//	Calibrate  how well confidences match what proved right
//
// The package uses nothing of an interviewer but turns, so that the rules and a model are
// measured alike. It owns no rows: an evaluation is made of ordinary sessions.
//
// # Persona files
//
// A persona is one JSON object in personas/CONTEXT/NAME.json. Fields that are not listed
// here are errors, and so are values that the objective could not store. In every text and
// gold value, {year}, {year+1} and {year-7} stand for years relative to the one in which the
// file is read, so that a future date stays in the future.
//
//	about           one sentence: who this is
//	kind            cooperative, terse, rambling, contradictory, refusing or changing_mind
//	facts           what is true, one entry for each obligation:
//	  key           of the obligation
//	  gold          the value as it is stored; absent when there is none
//	  say           phrasings, the n-th for the n-th attempt, the last for all others; may
//	                be left out for a text that is said as it is stored
//	  widget        true: the person fills in the widget with gold and types nothing
//	  as            unknown, declines, not_applicable: the answer each time (say overrides
//	                the words); later: the person puts it off once, then says it
//	volunteers      said unasked, beside an answer: say, when, keys (what it tells)
//	corrections     the person says first (the value was) until when, then say; from then on
//	                gold is right, and exactly one revision is expected
//	contradictions  said beside an answer and different from gold: key, value, say, when;
//	                asked which value holds, the person names gold
//	asides          chit-chat and other topics instead of an answer: say, when; nothing may
//	                be stored from them
//	questions       questions instead of an answer, such as "why do you ask?": say, when
//	replies         confirm, finish, unknown, decline, notApplicable, later: phrasings; for
//	                finish by how often the end was offered, for the others by attempt
//	forms           widgets (default) or words: how the person answers forms
//	conflicts       place (default: "the second one") or words (states the fact again)
//
// when is {"turn": n}, from that turn on, or {"after": key}, once the person has told that
// key. Each such line is said once. The person does not know keys without a fact.
package eval
