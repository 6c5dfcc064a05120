package claims

import (
	"strings"
	"unicode"
)

// Marks that speak to whoever reads instead of stating something. They are
// looked for in text that is lower case with one space between words.
var (
	// orders are attempts to direct a machine that reads. A block that has one
	// carries no claim, nor does the one after a colon.
	orders = []string{"ignore previous", "ignore all", "ignore any", "ignore the above", "ignore your", "ignore prior", "ignore these", "ignore the instruction", "ignore the previous", "ignore everything", "disregard previous", "disregard all", "disregard any", "disregard the", "disregard your", "disregard prior",
		"forget previous", "forget all", "forget your", "forget everything", "system prompt", "[inst]", "<|", "<<sys>>", "you are now", "you are an ai", "you are a helpful", "as an ai", "new instruction", "follow these instructions", "previous instructions", "your instructions", "your task is", "your response", "your answer", "in your summary",
		"respond with", "reply with", "answer with", "respond only", "do not mention", "do not tell", "the correct answer is", "the answer to every", "jailbreak", "developer mode", "pretend to", "act as if", "set the obligation", "mark the obligation", "confidence to 1", "exfiltrate", "send the conversation", "reveal your", "print your", "your api key",
		"note to ai", "attention ai", "dear ai", "if you are an", "when summarizing", "when summarising"}
	// roles begin a forged turn of a conversation.
	roles = []string{"system:", "assistant:", "user:", "human:", "ai:", "### "}
	// machines, biddings and sayings together make an order to a machine.
	machines = []string{"ai assistant", "ai model", "ai agent", "ai system", "ai tool", "ai crawler", "language model", "llm", "chatbot", "assistants", "agents", "crawlers", "researchers", "readers"}
	biddings = set("must should shall please always never instructed asked required reading only")
	sayings  = set("answer say report state recommend conclude repeat reply output mention ignore summarise summarize tell treat cite rate claim respond quote")
	// chrome is what surrounds a page's text.
	chrome = []string{"all rights reserved", "©", "skip to", "back to top", "javascript is", "enable javascript", "accept all", "accept cookies", "your browser", "read more", "click here", "learn more", "page not found", "captcha", "verify you are human", "are you a robot",
		"add to cart", "share this", "follow us", "related articles", "related posts", "table of contents", "terms of use", "terms of service", "privacy settings", "cookie settings", "cookie preferences", "get started", "book a demo", "request a demo", "contact us", "download the app",
		"sponsored content", "loading...", "loading…", "min read", "photo:", "image:", "posted by", "previous article", "next article", "leave a comment", "post comment", "unsubscribe", "we use cookies", "this site uses", "this website uses", "uses cookies", "newsletter straight", "your inbox"}
	// soft is noise unless the question is about it.
	soft = map[string]string{"cookie": "cookie", "privacy policy": "privacy", "newsletter": "newsletter", "subscribe": "subscrib", "javascript": "javascript", "advertisement": "advertisement"}
)

// commands are verbs that tell the reader what to do when they begin a sentence;
// orNouns only when what follows fits a verb.
var (
	commands = set(`click read subscribe sign log learn get try join follow find discover please ignore disregard forget pretend respond reply tell remember enter choose write
		compare explore see add submit accept scroll don't let's imagine consider ensure make keep avoid never come take give treat assume conclude recommend mention insert repeat translate summarize summarise reveal send execute`)
	orNouns = set("contact call book view start check watch order report request access share note answer search register use buy review save set help open close state stop press output print go act tap delete upload install download visit select say")
	follows = set("us now our your the this that these here for with a an all more out today it them my any how in at up by every")
)

// noise reports whether the piece text says nothing that could be claimed:
// chrome, a question, an order, a scrap. about holds the stems of the question.
func noise(text string, f form, about map[string]bool) bool {
	lower := strings.ToLower(text)
	words := strings.Fields(lower)
	switch {
	case f == heading || f == head || f == code || len(words) == 0:
		return true
	case f != row && (len(text) < 20 || len(words) < 4):
		return true
	case strings.Contains(text, "?"), hasAny(lower, chrome), hostile(text), unlettered(text):
		return true
	case f == prose && !strings.ContainsAny(text[len(text)-1:], ".!\"')”…") && !hasDigit(text) && len(words) < 9:
		return true
	}
	for mark, stem := range soft {
		if !about[stem] && strings.Contains(lower, mark) {
			return true
		}
	}
	return commanding(words) || promotes(words)
}

func hasAny(s string, marks []string) bool {
	for _, m := range marks {
		if strings.Contains(s, m) {
			return true
		}
	}
	return false
}

// commanding reports whether words tell the reader what to do.
func commanding(words []string) bool {
	first := strings.Trim(words[0], ".,:;!\"'“‘(*_")
	if first == "just" || first == "simply" || first == "now" || first == "then" || first == "always" || first == "do" {
		if len(words) > 1 {
			words = words[1:]
			if words[0] == "not" {
				return true
			}
			first = strings.Trim(words[0], ".,:;!\"'")
		}
	}
	if len(words) > 1 && (words[0] == "you" || words[0] == "readers" || words[0] == "assistants" || words[0] == "models") && (words[1] == "must" || words[1] == "should" || words[1] == "shall" || words[1] == "are" || words[1] == "will") {
		return true
	}
	return commands[first] || orNouns[first] && len(words) > 1 && follows[words[1]]
}

// promotes reports whether words are about the reader or the writer rather than
// about a thing: two or more of "you", "we" and their kin.
func promotes(words []string) bool {
	n := 0
	for _, w := range words {
		switch strings.Trim(w, ".,:;!()\"'") {
		case "you", "your", "yours", "you'll", "you're", "you’re":
			n++
		}
	}
	return n > 1
}

// unlettered reports whether less than half of s is letters and spaces between
// them, or it is a trail of links.
func unlettered(s string) bool {
	letters, all, trail := 0, 0, 0
	for _, r := range s {
		all++
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ':
			letters++
		case strings.ContainsRune("|»›>·•", r):
			trail++
		}
	}
	return letters*10 < all*7 || trail > 2
}

// navigates reports whether a piece, as it is written, is links for the most
// part.
func navigates(raw string) bool {
	links, inside := 0, 0
	for rest := raw; ; {
		open := strings.IndexByte(rest, '[')
		end := strings.Index(rest, "](")
		if open < 0 || end < open {
			break
		}
		links, inside = links+1, inside+end-open-1
		rest = rest[end+2:]
	}
	return links > 0 && inside*10 > len(plainText(raw))*6
}

// Directs reports whether a sentence of text tries to direct a machine that
// reads it: then its words are no evidence of anything.
func Directs(text string) bool {
	for line := range strings.Lines(text) {
		for sentence := range strings.SplitSeq(line, ". ") {
			if hostile(strings.TrimLeft(sentence, "#>|-* \t")) {
				return true
			}
		}
	}
	return false
}

// Hostile reports whether a text tries to direct a machine that reads it. It knows usual wordings in
// English only, so it is one defence among others.
func Hostile(text string) bool { return hostile(strings.Join(strings.Fields(text), " ")) }

// hostile reports whether text tries to direct a machine that reads it.
func hostile(text string) bool {
	lower := strings.ToLower(text)
	for _, r := range roles {
		if strings.HasPrefix(strings.TrimLeft(lower, "*_ "), r) {
			return true
		}
	}
	return hasAny(lower, orders) || hasAny(lower, machines) && hasWord(lower, biddings) && hasWord(lower, sayings)
}

func hasWord(s string, words map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if words[w] {
			return true
		}
	}
	return false
}

// pronouns that stand for something said before, at the start of a sentence.
var pronouns = set("it they he she this these that those its their his her such both")

// dangling reports whether what p is about was named in the sentence before.
func dangling(text string) bool {
	words := strings.Fields(strings.ToLower(plainText(clip(text, 80))))
	if len(words) < 2 || !pronouns[words[0]] {
		return false
	}
	if words[0] == "this" || words[0] == "these" || words[0] == "that" || words[0] == "those" || words[0] == "both" || words[0] == "such" {
		return linking[words[1]] || !stopwords[words[1]] && strings.HasSuffix(words[1], "s") && words[0] == "this" || words[0] == "such" || words[0] == "both"
	}
	return true
}
