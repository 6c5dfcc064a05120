package llmtest

// rule is one line of the script. The server's mutex guards it.
type rule struct {
	match   func(Request) bool
	replies []Reply
}

// next takes the rule's next reply; the last one stays for ever.
func (r *rule) next() Reply {
	reply := r.replies[0]
	if len(r.replies) > 1 {
		r.replies = r.replies[1:]
	}
	return reply
}

// Enqueue puts replies in front of every rule: the next chat requests get them
// in this order, whatever they ask.
func (s *Server) Enqueue(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, replies...)
}

// On answers the requests that match with replies in this order; the last one is
// given again and again. Rules are tried in the order they were added. No
// replies means the fixed sentence.
func (s *Server) On(match func(Request) bool, replies ...Reply) {
	if len(replies) == 0 {
		replies = []Reply{{Text: fallbackText}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, &rule{match: match, replies: append([]Reply(nil), replies...)})
}

// OnUnderstand is On for the requests that want JSON (see [Request.Structured]).
func (s *Server) OnUnderstand(replies ...Reply) { s.On(Request.Structured, replies...) }

// OnReply is On for the streamed requests that want plain text.
func (s *Server) OnReply(replies ...Reply) {
	s.On(func(r Request) bool { return r.Stream && !r.Structured() }, replies...)
}

// Handle answers what neither the queue nor a rule does. The function runs on
// the request's goroutine and may be called several times at once.
func (s *Server) Handle(answer func(Request) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handle = answer
}
