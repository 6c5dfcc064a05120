package chat

// Premature is premature, for tests.
func (p *Plan) Premature() bool { return p.premature() }

// InPlainWords is inPlainWords, for tests.
var InPlainWords = inPlainWords
