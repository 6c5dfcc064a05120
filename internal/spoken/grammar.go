package spoken

import (
	"slices"
	"strings"
)

// Grammar returns what may be said to held, a value of a kind that was read back, as a grammar in
// JSGF for a recogniser that hears better when it knows what may come: yes, no, and the
// corrections that [Corrected] reads. It is empty for kinds whose corrections are open, and
// for languages other than English. The rule <name> is left to the recogniser: it stands
// for the words of the value that it knows.
func Grammar(tag, held string, kind Kind) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if base != "en" {
		return ""
	}
	var value string
	switch kind {
	case Figure:
		value = figureRules
	case Phone, Identifier:
		value = digitRules
	case Name:
		return grammarHead + letterRules + "<hint> = " + spellingsFor(held) + ";\n" + nameRule
	case Date:
		value = dateRules
	case Prose, Email, Address, Choice:
		return ""
	}
	return grammarHead + value + contrastRule
}

// spellingsFor returns the letters by which a name may be spelled otherwise and sound as it does,
// as choices of a grammar: "d t | t h | double d" for one with a "t".
func spellingsFor(name string) string {
	lower := strings.ToLower(name)
	var out []string
	for _, class := range alike {
		if !slices.ContainsFunc(class, func(spelling string) bool { return strings.Contains(lower, spelling) }) {
			continue
		}
		for _, spelling := range class {
			if strings.Trim(spelling, "abcdefghijklmnopqrstuvwxyz") != "" {
				continue // a letter that English does not name
			}
			letters := strings.Join(strings.Split(spelling, ""), " ")
			out = append(out, letters)
			if len(spelling) == 2 && spelling[0] == spelling[1] {
				out = append(out, "double "+spelling[:1])
			}
		}
	}
	slices.Sort(out)
	return strings.Join(append(slices.Compact(out), "<letter>"), " | ")
}

// The rules. Words are those of the dictionary of pocketsphinx.
const (
	grammarHead = `#JSGF V1.0;
grammar correction;
<no> = no | nope | sorry | actually | no sorry;
<is> = it's | it is | i said | i meant;
<plain> = yes [that's right | that is right | correct] | that's right | that is right | correct | no [that's wrong | that is wrong | that's not right | that is not right];
<digit> = one | two | three | four | five | six | seven | eight | nine;
<teen> = ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen;
<tens> = twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety;
<below> = <digit> | <teen> | <tens> [<digit>];
`
	figureRules = `<hundreds> = <below> | (a | <digit>) hundred [[and] <below>];
<value> = <hundreds> | <hundreds> thousand [[and] <hundreds>];
`
	digitRules = `<value> = (zero | oh | [double] <digit>)+;
`
	dateRules = `<month> = january | february | march | april | may | june | july | august | september | october | november | december;
<ordinal> = first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh | twelfth | thirteenth | fourteenth | fifteenth | sixteenth | seventeenth | eighteenth | nineteenth | twentieth | thirtieth;
<day> = [the] (<ordinal> | twenty <ordinal> | thirty first);
<year> = two thousand [and] <below> | twenty <below>;
<value> = [in] <month> [<year>] | <day> [of] [<month>] [<year>] | <month> <day> [<year>] | <year>;
`
	letterRules = `<letter> = a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p | q | r | s | t | u | v | w | x | y | z | double <letter1>;
<letter1> = b | c | d | e | f | g | l | m | n | o | p | r | s | t | z;
`
	nameRule = `public <said> = [<no>] [<is>] [<name>] (with [a] <hint> | <letter> <letter> <letter>+) | <plain>;
`
	contrastRule = `public <said> = [<no>] [<is>] <value> [not <value>] | [<no>] not <value> [but | <is>] <value> | <plain>;
`
)
