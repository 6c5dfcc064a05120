package spoken

import (
	"strings"
	"unicode"

	"quaestor/internal/language/messages"
)

// ReadBack returns the sentence that says a value back so that a mistake of hearing is
// noticed: names are spelled, numbers of telephones and contracts said digit by digit,
// addresses with their marks as words. Figures that sound like others, as fifteen and
// fifty do, are said digit by digit too. It is empty for what needs no question: prose,
// choices, and figures that nothing sounds like, which an acknowledgement names.
func ReadBack(l *messages.Language, value string, kind Kind) string {
	switch kind {
	case Prose, Choice:
		return ""
	case Name:
		return l.Text("voice.back-spelled", messages.Args{"value": messages.Text(value), "letters": messages.Text(spelledOut(value))})
	case Phone, Identifier:
		return l.Text("voice.back", messages.Args{"value": messages.Text(grouped(value))})
	case Email:
		return l.Text("voice.back", messages.Args{"value": messages.Text(dictation(l, value))})
	case Figure:
		if digits := confusable(value); digits != "" {
			return l.Text("voice.back-digits", messages.Args{"value": messages.Text(value), "digits": messages.Text(digits)})
		}
		return ""
	case Date:
		return l.Text("voice.back", messages.Args{"value": messages.Date(value)})
	case Address:
	}
	return l.Text("voice.back", messages.Args{"value": messages.Text(value)})
}

// spelledOut returns the letters of a name, with commas, so that a voice says them one by one.
func spelledOut(name string) string {
	var words []string
	for word := range strings.FieldsSeq(name) {
		var letters []string
		for _, r := range word {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				letters = append(letters, string(unicode.ToUpper(r)))
			}
		}
		words = append(words, strings.Join(letters, ", "))
	}
	return strings.Join(words, "; ")
}

// groupSize is how many digits are said in one breath.
const groupSize = 3

// grouped returns letters and digits one by one, in groups: those that value has, or else
// of three, and the rest of one with it.
func grouped(value string) string {
	var groups []string
	for part := range strings.FieldsSeq(value) {
		runes := []rune(part)
		for len(runes) > 0 {
			n := min(groupSize, len(runes))
			if len(runes) == groupSize+1 {
				n = 2 // two and two rather than three and one
			}
			var one []string
			for _, r := range runes[:n] {
				one = append(one, string(r))
			}
			groups, runes = append(groups, strings.Join(one, " ")), runes[n:]
		}
	}
	return strings.Join(groups, ", ")
}

// dictation returns an address with its marks as words. What stands before the @ is spelled
// too when it is no word: when it has digits, or no vowel.
func dictation(l *messages.Language, address string) string {
	marks := map[rune]string{'.': "voice.mark-dot", '@': "voice.mark-at", '-': "voice.mark-dash", '_': "voice.mark-underscore", '+': "voice.mark-plus"}
	var words []string
	var word strings.Builder
	flush := func() {
		if w := word.String(); w != "" {
			if strings.ContainsAny(w, "0123456789") || !strings.ContainsAny(w, "aeiouyäöü") {
				w = grouped(w)
			}
			words = append(words, w)
		}
		word.Reset()
	}
	for _, r := range strings.ToLower(address) {
		if key := marks[r]; key != "" {
			flush()
			words = append(words, l.Text(key, nil))
			continue
		}
		word.WriteRune(r)
	}
	flush()
	return strings.Join(words, " ")
}

// confusable returns the digits of a figure that sounds like another one: 13 to 19 and the
// tens from 30 to 90, also as a part of a larger figure such as 115. It is empty for others.
func confusable(value string) string {
	digits := digitsInText.FindString(value)
	if strings.ContainsAny(digits, ".,") || len(digits) < 2 {
		return ""
	}
	last := digits[len(digits)-2:]
	if last[0] == '1' && last[1] >= '3' || last[1] == '0' && last[0] >= '3' {
		return strings.Join(strings.Split(digits, ""), " ")
	}
	return ""
}
