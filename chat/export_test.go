package chat

// Hasty is hasty, for tests.
func (p *Plan) Hasty() bool { return p.hasty() }
