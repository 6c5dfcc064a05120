package chat

import "quaestor/obligations"

// ofFilesAlone is what may be taken from a reading of files that came without a
// word: what they say about obligations. They ask for nothing.
func (h modelAnswer) ofFilesAlone() modelAnswer {
	return modelAnswer{Intent: Attached, Findings: h.Findings}
}

// documented is the evidence for words that stand in a file of the turn and are
// not the person's own now.
func (i *interpreter) documented(quote string) (obligations.Evidence, bool) {
	if quote == "" || i.saysNow(quote) {
		return obligations.Evidence{}, false
	}
	for _, f := range i.scene.Files {
		if span, words, ok := obligations.Locate(f.Text, quote); ok {
			return obligations.Evidence{Kind: obligations.Document, File: f.ID, Source: f.Name, Span: &span, Quote: words}, true
		}
	}
	return obligations.Evidence{}, false
}

// ofFile reports whether a finding was read in a file.
func ofFile(f obligations.Finding) bool { return f.Evidence.Kind == obligations.Document }

// documentsLast puts what the person says before what their files say, so that
// theirs is the value held where the two differ.
func documentsLast(a, b obligations.Finding) int {
	switch {
	case ofFile(a) == ofFile(b):
		return 0
	case ofFile(a):
		return 1
	}
	return -1
}
