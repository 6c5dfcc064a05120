package claims

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Steer returns q with what the person said about where to look: "only Germany",
// "focus on B2B", "ignore retail", "not Amazon", "newer than 2023". Key words that
// steer nothing become terms. What is wanted now is no longer unwanted, and the
// other way round.
func Steer(q ResearchQuestion, said string) ResearchQuestion {
	q.Terms, q.Only, q.Without = slices.Clone(q.Terms), slices.Clone(q.Only), slices.Clone(q.Without)
	rest := q.dated(strings.TrimSpace(public(clip(said, 2000))))
	for _, clause := range clauses(rest) {
		q.steer(clause)
	}
	return q
}

var (
	newer    = regexp.MustCompile(`(?i)\b(?:(?:newer|later|more recent|younger) than|after|not older than|no older than|nothing (?:older than|before)|since|from|(?:not|nothing|ignore(?: everything)?|no(?:thing)?(?: sources?)?) (?:from )?before|older than)\s+((?:19|20)\d\d)\b(?:\s+(?:on|onwards?|or (?:newer|later)))?`)
	onwards  = regexp.MustCompile(`(?i)\b((?:19|20)\d\d)\s+(?:onwards?|or (?:newer|later)|and (?:newer|later|after))\b`)
	boundary = regexp.MustCompile(`(?i)[,;.!?\n]+|\b(?:but|and also|and then|then|and (?:please )?(?:ignore|skip|exclude|focus|only|not|leave|forget))\b`)
)

// dated takes a year to begin with out of said.
func (q *ResearchQuestion) dated(said string) string {
	if m := newer.FindStringSubmatchIndex(said); m != nil {
		q.Since, _ = strconv.Atoi(said[m[2]:m[3]])
		how := strings.ToLower(said[m[0]:m[2]])
		if strings.Contains(how, "than") && !strings.Contains(how, "older") || strings.HasPrefix(how, "after") {
			q.Since++
		}
		return said[:m[0]] + " , " + said[m[1]:]
	}
	if m := onwards.FindStringSubmatchIndex(said); m != nil {
		q.Since, _ = strconv.Atoi(said[m[2]:m[3]])
		return said[:m[0]] + " , " + said[m[1]:]
	}
	return said
}

// clauses parts said where one wish ends; a verb that begins the next stays
// with it.
func clauses(said string) []string {
	var out []string
	from := 0
	for _, m := range boundary.FindAllStringIndex(said, -1) {
		out = append(out, said[from:m[0]])
		from = m[1]
		if joint := strings.ToLower(said[m[0]:m[1]]); strings.HasPrefix(joint, "and ") {
			from = m[1] - len(joint) + len("and ")
		}
	}
	return append(out, said[from:])
}

// What people say before, or behind, what they want looked at or left out.
var (
	wantBefore = regexp.MustCompile(`(?i)^.*?\b(?:look(?:ing)?(?: only| just)? (?:at|for|into) only|(?:only|just|solely|exclusively)(?: look(?:ing)? (?:at|for|into)| consider| check| include| search| use| for| in| on| about)?|focus(?:ing|sed|ed)?(?: only| just| more)?(?: on)?|concentrat(?:e|ing)(?: only)? on|(?:limit|restrict|narrow)(?: (?:it|this|that|the search|yourself|things))?(?: down)? to|stick(?:ing)? (?:to|with)|i (?:only )?care about)\s+(.+)$`)
	wantBehind = regexp.MustCompile(`(?i)^(?:please )?(?:look (?:at|for|into)|check|consider|search|use|take)?\s*(.+?)\s+(?:only|exclusively|and nothing else)\s*(?:please)?\s*$`)
	leave      = regexp.MustCompile(`(?i)^.*?\b(?:ignor(?:e|ing)|exclud(?:e|ing)|skip(?:ping)?|leav(?:e|ing) out|forget(?: about)?|avoid|drop|without|except(?: for)?|other than|not interested in|don['’]?t (?:look at|include|care about|need|use|consider|want)|do not (?:look at|include|care about|use|consider|want)|rather than|instead of|no more|not|no)\s+(.+)$`)
	also       = regexp.MustCompile(`(?i)^(?:please )?(?:also|include|add|look (?:also )?(?:at|into|for)|check)\s+(.+)$`)
)

// maxPhrases bounds what steering may pile up.
const maxPhrases = 12

// steer takes up one wish.
func (q *ResearchQuestion) steer(clause string) {
	clause = strings.TrimSpace(clause)
	if both := leave.FindStringSubmatchIndex(clause); both != nil && wantBefore.MatchString(clause[:both[2]]+" x") && !strings.HasPrefix(strings.ToLower(clause), "not only") {
		before := clause[:both[2]]
		if cut := strings.LastIndex(before[:len(strings.TrimRight(before, " "))], " "); cut > 0 {
			q.steer(strings.TrimSpace(before[:cut]))
		}
		q.leaveOut(phrases(clause[both[2]:]))
		return
	}
	switch {
	case wantBefore.MatchString(clause):
		q.keepTo(phrases(wantBefore.FindStringSubmatch(clause)[1]))
	case leave.MatchString(clause):
		q.leaveOut(phrases(leave.FindStringSubmatch(clause)[1]))
	case wantBehind.MatchString(clause):
		q.keepTo(phrases(wantBehind.FindStringSubmatch(clause)[1]))
	case also.MatchString(clause):
		q.Terms = addPhrases(q.Terms, phrases(also.FindStringSubmatch(clause)[1]))
	default:
		q.Terms = addPhrases(q.Terms, keyWords(clause, maxSubject))
	}
}

// keepTo adds one condition with the phrases as its alternatives.
func (q *ResearchQuestion) keepTo(list []string) {
	if len(list) == 0 {
		return
	}
	q.Without = removed(q.Without, list)
	q.Only = addPhrases(q.Only, []string{strings.Join(list, "|")})
}

func (q *ResearchQuestion) leaveOut(list []string) {
	q.Only, q.Terms = removed(q.Only, list), removed(q.Terms, list)
	q.Without = addPhrases(q.Without, list)
}

var (
	partition = regexp.MustCompile(`(?i)\s*(?:,|;|/|\band\b|\bor\b|\bnor\b|\s&\s)\s*`)
	fringe    = regexp.MustCompile(`(?i)^(?:(?:at|on|in|to|for|about|from|into|with|of|the|a|an|any|anything|everything|all|those|these|that|their|our|please|companies|sources|results|pages|things|stuff|data|outside)\s+)+|\s+(?:please|only|anymore|any more|instead|now|at all|companies|sources|results|pages|market|markets|thanks)$`)
)

// phrases parts what was named into its alternatives, without the words around
// them.
func phrases(s string) []string {
	var out []string
	for _, part := range partition.Split(public(s), -1) {
		for before := ""; before != part; {
			before, part = part, strings.TrimSpace(fringe.ReplaceAllString(part, ""))
		}
		part = strings.Trim(part, " .,:;!?\"'()|-")
		if words := keyWords(part, 4); len(words) > 0 && !anything[strings.ToLower(part)] {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out[:min(len(out), 6)]
}

// anything are phrases that name nothing in particular.
var anything = set("sources source companies results pages things stuff data market markets everything anything that this those these them it sites websites articles information")

// addPhrases adds what list does not have, up to a bound.
func addPhrases(list, phrases []string) []string {
	for _, p := range phrases {
		known := slices.ContainsFunc(list, func(o string) bool { return strings.EqualFold(o, p) })
		if !known && len(list) < maxPhrases {
			list = append(list, p)
		}
	}
	return list
}

// removed takes phrases out of list, alternatives included.
func removed(list, phrases []string) []string {
	var out []string
	for _, entry := range list {
		kept := slices.DeleteFunc(strings.Split(entry, "|"), func(a string) bool {
			return slices.ContainsFunc(phrases, func(p string) bool { return strings.EqualFold(a, p) })
		})
		if len(kept) > 0 {
			out = append(out, strings.Join(kept, "|"))
		}
	}
	return out
}
