package voice

import (
	"context"
	"slices"
	"sync"
	"time"

	"quaestor/internal/audio"
)

// chunk is how much sound goes out at once: little enough to stop quickly.
const chunk = 60 * time.Millisecond

// segment is a sentence with its sound.
type segment struct {
	sentence
	sound []int16 // at the call's rate
	made  bool    // sound is there, or could not be made
}

// mouthReport is what became of what was said.
type mouthReport struct {
	finished bool  // the reply was played to its end
	err      error // why sound could not be made; nil when it could
}

// mouth speaks one reply after the other. Two goroutines work for it: one has sentences
// turned into sound, ahead of what is played, and one plays it at the pace of an ear.
// Methods are safe for concurrent use.
type mouth struct {
	wire  Wire
	make  func(ctx context.Context, text string) ([]int16, error) // sound at rate
	rate  int
	ahead time.Duration // how far the line may be before the ear

	mu       sync.Mutex
	turn     int // of the reply; 0 for a reminder. Everything below is guarded by mu
	segments []*segment
	whole    bool               // no more sentences come
	speaking bool               // sound may go out
	stopped  bool               // the person spoke; it may go on
	said     int                // samples that were sent
	since    time.Time          // when the sound that is going on began; zero when nothing sounds
	from     int                // samples sent before since
	captions int                // sentences whose caption was sent
	sent     bool               // the client knows that all was sent
	silenced bool               // sound cannot be made for this reply
	making   context.CancelFunc // ends the making of a sentence; nil when none is made
	round    int                // rises with every reply, so that late sound is noticed

	report mouthReport // since it was taken last

	makes, plays chan struct{} // wake the goroutines
	news         chan struct{} // tells that there is a report
}

func newMouth(wire Wire, rate int, ahead time.Duration) *mouth {
	return &mouth{wire: wire, rate: rate, ahead: ahead, makes: make(chan struct{}, 1), plays: make(chan struct{}, 1), news: make(chan struct{}, 1)}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// begin makes ready for the reply of a turn, 0 for something that is no reply. What was
// being said is dropped; a client that plays it is told to stop. With hold the reply waits
// for resume.
func (m *mouth) begin(ctx context.Context, turn int, hold bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if m.playing() && !m.stopped {
		err = m.wire.Tell(ctx, StopEvent{m.turn})
	}
	m.clear()
	m.turn, m.speaking, m.stopped = turn, true, hold
	return err
}

// clear forgets the reply. It must hold mu.
func (m *mouth) clear() {
	if m.making != nil {
		m.making()
	}
	m.round++
	m.segments, m.whole, m.speaking, m.stopped, m.silenced = nil, false, false, false, false
	m.said, m.from, m.captions, m.sent, m.since = 0, 0, 0, false, time.Time{}
	m.report = mouthReport{}
}

// take returns what there is to report.
func (m *mouth) take() mouthReport {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.report
	m.report = mouthReport{}
	return out
}

// add says more of the reply.
func (m *mouth) add(list []sentence) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range list {
		m.segments = append(m.segments, &segment{sentence: s, made: s.text == "" || m.silenced})
	}
	wake(m.makes)
	wake(m.plays)
}

// end says that the reply is whole.
func (m *mouth) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.whole = true
	wake(m.plays)
}

// playing reports whether sound of the reply is being played, as far as can be known. It
// must hold mu.
func (m *mouth) playing() bool {
	return m.speaking && m.said > 0
}

// active reports whether something is played, or stopped for a while.
func (m *mouth) active() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.playing()
}

// busy reports whether a reply is being said, or will be.
func (m *mouth) busy() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.speaking
}

// is reports whether the reply of a turn is being said, or will be.
func (m *mouth) is(turn int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.speaking && m.turn == turn
}

// sentUntil returns how much of the reply was sent.
func (m *mouth) sentUntil() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return audio.Duration(m.said, m.rate)
}

// stop stops the sound at once, tells the client, and returns how much of the reply the
// ear has heard by the clock. It reports false when nothing is said.
func (m *mouth) stop(ctx context.Context) (turn int, heard time.Duration, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.speaking || m.stopped {
		return 0, 0, false, nil
	}
	m.stopped = true
	if m.said == 0 {
		return m.turn, 0, true, nil
	}
	if m.since.IsZero() { // between two sentences
		return m.turn, audio.Duration(m.said, m.rate), true, m.wire.Tell(ctx, StopEvent{m.turn})
	}
	heard = audio.Duration(min(m.said, m.from+m.samples(time.Since(m.since))), m.rate)
	return m.turn, heard, true, m.wire.Tell(ctx, StopEvent{m.turn})
}

// resume goes on from that place of the reply.
func (m *mouth) resume(ctx context.Context, at time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.stopped {
		return nil
	}
	m.stopped = false
	m.said = min(m.samples(at), m.said)
	m.since = time.Time{}
	wake(m.plays)
	if m.said == 0 && at == 0 {
		return nil
	}
	return m.wire.Tell(ctx, ResumeEvent{m.turn, milliseconds(at)})
}

// drop forgets the reply.
func (m *mouth) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
}

// heardUntil returns how many bytes of the reply were heard when it was played for d, and
// whether its last sentence was being played by then.
func (m *mouth) heardUntil(d time.Duration) (bytes int, last bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := m.samples(d)
	if len(m.segments) > 0 {
		bytes = m.segments[0].from // what was heard over a line that broke
	}
	for i, s := range m.segments {
		last = m.whole && i == len(m.segments)-1
		if !s.made || left < len(s.sound) {
			if len(s.sound) == 0 || left <= 0 {
				return bytes, last
			}
			words := audio.Played(s.text, audio.Duration(len(s.sound), m.rate), audio.Duration(left, m.rate))
			return s.from + cutAt(s.written, wordsIn(words)), last
		}
		left -= len(s.sound)
		bytes = s.to
	}
	return bytes, last
}

func (m *mouth) samples(d time.Duration) int { return int(d * time.Duration(m.rate) / time.Second) }

// makeAll makes the sound of sentences until ctx ends.
func (m *mouth) makeAll(ctx context.Context) {
	for {
		s, round, making, done := m.next(ctx)
		if s == nil {
			select {
			case <-ctx.Done():
				return
			case <-m.makes:
			}
			continue
		}
		sound, err := m.make(making, s.text)
		done()
		m.keep(s, round, sound, err)
	}
}

// next returns the first sentence without sound, nil for none, and the context in which it
// is made.
func (m *mouth) next(ctx context.Context) (s *segment, round int, making context.Context, done func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.segments {
		if s.made {
			continue
		}
		making, cancel := context.WithCancel(ctx)
		m.making = cancel
		return s, m.round, making, cancel
	}
	return nil, 0, nil, nil
}

// keep keeps the sound of a sentence, or that it cannot be made: then the rest of the reply
// is not spoken.
func (m *mouth) keep(s *segment, round int, sound []int16, err error) {
	m.mu.Lock()
	m.making = nil
	if round != m.round {
		m.mu.Unlock()
		return
	}
	s.sound, s.made = sound, true
	if err != nil {
		m.silenced = true
		for _, s := range m.segments {
			s.made = true
		}
		m.report.err = err
		wake(m.news)
	}
	m.mu.Unlock()
	wake(m.plays)
}

// playAll plays until ctx ends or the line breaks.
func (m *mouth) playAll(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		wait, err := m.play(ctx)
		if err != nil {
			return err
		}
		if wait > 0 {
			timer.Reset(wait)
		}
		var due <-chan time.Time
		if wait > 0 {
			due = timer.C
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.plays:
		case <-due:
		}
	}
}

// play sends what may go out now, and returns how long to wait before there is more to do;
// 0 means until somebody wakes it.
func (m *mouth) play(ctx context.Context) (wait time.Duration, err error) {
	for more := true; more && err == nil; {
		wait, more, err = m.step(ctx)
	}
	return wait, err
}

// step sends one chunk, and returns whether there may be another at once, or else how long
// to wait.
func (m *mouth) step(ctx context.Context) (wait time.Duration, more bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.speaking || m.stopped {
		return 0, false, nil
	}
	s, begins, at := m.place()
	if s == nil {
		return m.pause(ctx)
	}
	if m.since.IsZero() {
		m.since, m.from = time.Now(), m.said
		wake(m.news)
	}
	if early := audio.Duration(m.said-m.from, m.rate) - time.Since(m.since) - m.ahead; early > 0 {
		return early, false, nil
	}
	if at >= m.captions {
		m.captions = at + 1
		if err := m.wire.Tell(ctx, CaptionEvent{m.turn, s.text, milliseconds(audio.Duration(begins, m.rate)), s.from, milliseconds(audio.Duration(len(s.sound), m.rate))}); err != nil {
			return 0, false, err
		}
	}
	sound := s.sound[m.said-begins:]
	sound = sound[:min(len(sound), m.samples(chunk))]
	m.said += len(sound)
	return 0, true, m.wire.Play(ctx, sound)
}

// pause does what is to be done when there is nothing to play: it waits for the ear, and
// then for the next sentence or the next reply. It must hold mu.
func (m *mouth) pause(ctx context.Context) (wait time.Duration, more bool, err error) {
	over := m.whole && !slices.ContainsFunc(m.segments, func(s *segment) bool { return !s.made })
	if over && !m.sent {
		m.sent = true
		err = m.wire.Tell(ctx, SpokenEvent{m.turn, milliseconds(audio.Duration(m.said, m.rate))})
	}
	if rest := m.rest(); rest > 0 || err != nil {
		return rest, false, err
	}
	m.since = time.Time{}
	if over {
		m.speaking = false
		m.report.finished = true
		wake(m.news)
	}
	return 0, false, nil
}

// place returns the segment that is to be played, nil when its sound is not there yet or
// everything was played; begins is the sample at which it begins, and at its number. It
// must hold mu.
func (m *mouth) place() (s *segment, begins, at int) {
	for i, s := range m.segments {
		if !s.made {
			return nil, 0, 0
		}
		if m.said < begins+len(s.sound) {
			return s, begins, i
		}
		begins += len(s.sound)
	}
	return nil, begins, len(m.segments)
}

// rest is how long what was sent still sounds. It must hold mu.
func (m *mouth) rest() time.Duration {
	if m.since.IsZero() {
		return 0
	}
	return max(0, audio.Duration(m.said-m.from, m.rate)-time.Since(m.since))
}
