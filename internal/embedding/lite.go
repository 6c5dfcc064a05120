package embedding

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// LiteName is the name of [Lite]'s vectors. It changes whenever the same text
// would get another vector.
const LiteName = "use-lite-1/512"

// Lite is the Universal Sentence Encoder, lite, version 1, in this process. It
// knows English: of other languages little more than shared words. Of a text it
// reads the first 128 pieces, which is about 90 words.
//
// Nothing is read before the first call; then the weights take 28 MB and each
// text that is being encoded 1.8 MB. At most as many texts are encoded at once as there
// are processors but one, which is left to serve requests.
type Lite struct {
	dir        string
	name       string
	of         *Lite // whose weights are adapted; else nil
	adapter    *adapter
	loading    chan struct{} // holds one token, which loading takes
	model      atomic.Pointer[model]
	workspaces chan *workspace // one entry for each text that may be under way; nil until it is used
}

// NewLite returns the encoder whose weights are in dir, as provision.sh left
// them. It reads nothing; see [Check] and [Lite.Load].
func NewLite(dir string) *Lite {
	l := &Lite{dir: dir, name: LiteName, loading: make(chan struct{}, 1), workspaces: make(chan *workspace, max(1, runtime.GOMAXPROCS(0)-1))}
	l.loading <- struct{}{}
	for range cap(l.workspaces) {
		l.workspaces <- nil
	}
	return l
}

// Name returns [LiteName], of an adapted encoder with the adapter's name.
func (l *Lite) Name() string { return l.name }

// Dimension returns 512.
func (l *Lite) Dimension() int { return liteDimension }

// Load reads the weights unless that is done, in 0.1 to 0.5 s. A server calls it
// at the start so that no search waits for it later. The error is a fault of kind
// Unavailable that names the remedy; the next call tries again, so weights that are
// provisioned later are found.
func (l *Lite) Load(ctx context.Context) error {
	_, err := l.loaded(ctx)
	return err
}

// Encode implements [Encoder]. The texts of one call are shared out to the
// processors that are free.
func (l *Lite) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	m, err := l.loaded(ctx)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	var taken atomic.Int64
	work := func() {
		for i := int(taken.Add(1)) - 1; i < len(texts) && ctx.Err() == nil; i = int(taken.Add(1)) - 1 {
			out[i] = l.one(ctx, m, texts[i])
		}
	}
	share(work, min(len(texts), cap(l.workspaces)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// share does work that many times at once, once of it on the caller's goroutine.
func share(work func(), times int) {
	var others sync.WaitGroup
	for range times - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// one returns the vector of one text once a workspace is free; nil for a text without
// words and when ctx ends.
func (l *Lite) one(ctx context.Context, m *model, text string) []float32 {
	select {
	case <-ctx.Done():
		return nil
	case b := <-l.workspaces:
		if b == nil {
			b = newWorkspace()
		}
		defer func() { l.workspaces <- b }()
		tokens := m.tokenizer.tokens(text)
		if len(tokens) == 0 {
			return nil
		}
		return m.encode(ctx, b, tokens)
	}
}

// loaded returns the model, and reads it first if that has not been done. Waiting for
// another call that reads it ends with ctx.
func (l *Lite) loaded(ctx context.Context) (*model, error) {
	if m := l.model.Load(); m != nil {
		return m, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.loading:
		defer func() { l.loading <- struct{}{} }()
	}
	if m := l.model.Load(); m != nil {
		return m, nil
	}
	m, err := l.read(ctx)
	if err != nil {
		return nil, err
	}
	l.model.Store(m)
	debug.FreeOSMemory() // reading left more garbage than there are weights, which an idle server would hold for long
	return m, nil
}

// read reads the model, or changes that of the encoder that is adapted.
func (l *Lite) read(ctx context.Context) (*model, error) {
	if l.of == nil {
		return loadModel(l.dir)
	}
	m, err := l.of.loaded(ctx)
	if err != nil {
		return nil, err
	}
	return l.adapter.apply(m), nil
}
