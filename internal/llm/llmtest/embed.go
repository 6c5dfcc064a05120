package llmtest

import (
	"hash/fnv"
	"math"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// defaultDimensions is the length of a vector when none is asked for.
const defaultDimensions = 256

// embeddings answers with one vector a text. Faults and delays of the queue's
// next reply apply; a reply without a fault is not taken from the queue.
func (s *Server) embeddings(w http.ResponseWriter, r *http.Request) {
	req, err := readRequest(r)
	if err != nil {
		writeError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	o := &output{w: w, ctx: r.Context(), req: req, reply: s.faultFor(&req), started: time.Now()}
	if !o.opened() {
		return
	}
	data := make([]any, 0, len(req.Input))
	var words int
	for i, text := range req.Input {
		words += len(strings.Fields(text))
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": Embedding(text, req.Dimensions)})
	}
	if o.reply.Fault == EmptyChoices {
		data = []any{}
	}
	doc := map[string]any{"object": "list", "model": req.Model, "data": data}
	if !o.reply.NoUsage {
		doc["usage"] = map[string]any{"prompt_tokens": words, "total_tokens": words}
	}
	writeJSON(w, http.StatusOK, doc)
}

// faultFor records req and takes the queue's next reply if it is a failure.
func (s *Server) faultFor(req *Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(req)
	if len(s.queue) == 0 || (s.queue[0].Fault == "" && s.queue[0].Status == 0) {
		return Reply{}
	}
	reply := s.queue[0]
	s.queue = s.queue[1:]
	return reply
}

// Embedding returns text as a vector of the given length with norm 1: each word
// adds to a few places picked by its hash, so that texts which share words are
// near each other. A length of zero means 256; a text without words gives a
// vector with its first number 1.
func Embedding(text string, dimensions int) []float32 {
	if dimensions <= 0 {
		dimensions = defaultDimensions
	}
	vec := make([]float32, dimensions)
	notWord := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(text), notWord) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(word))
		bits := h.Sum64()
		for range 3 {
			sign := float32(1)
			if bits&1 == 1 {
				sign = -1
			}
			vec[(bits>>1)%uint64(dimensions)] += sign
			bits = bits>>21 | bits<<43
		}
	}
	return normed(vec)
}

// normed scales vec to length 1.
func normed(vec []float32) []float32 {
	var sum float64
	for _, v := range vec {
		sum += float64(v) * float64(v)
	}
	if sum == 0 {
		vec[0] = 1
		return vec
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range vec {
		vec[i] *= scale
	}
	return vec
}
