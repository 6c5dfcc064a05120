package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quaestor/internal/fault"
)

// flite is the program of that name, which speaks English.
type flite struct{ path string }

// fliteVoices are the voices that flite brings. The first is the clearest: recognisers hear
// one word in fourteen wrongly, and one in six with the voice that flite has by default.
var fliteVoices = []string{"slt", "rms", "awb", "kal16", "kal"}

func (f flite) knows(language string) bool { return language == "en" }

func (f flite) name() string { return "flite" }

// local is true for a program.
func (f flite) local() bool { return true }

// speak hands the text over in a file: as an argument everybody on the machine could
// read it, and one that begins with a dash would be an option.
func (f flite) speak(ctx context.Context, text string, m Manner) (wav []byte, err error) {
	err = inFolder(func(dir string) error {
		in, out := filepath.Join(dir, "text"), filepath.Join(dir, "speech.wav")
		if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
			return fmt.Errorf("write what is to be said: %w", err)
		}
		if _, err := run(ctx, f.path, append([]string{"-f", in, "-o", out}, manners(m)...)...); err != nil {
			return err
		}
		wav, err = readBounded(out)
		return err
	})
	return wav, err
}

// manners returns the options of flite for a manner. A name that is no voice of flite was
// given for another provider.
func manners(m Manner) []string {
	voice := fliteVoices[0]
	if slices.Contains(fliteVoices, m.Name) {
		voice = m.Name
	}
	out := []string{"-voice", voice}
	if m.Speed > 0 && m.Speed != 1 {
		out = append(out, "--setf", fmt.Sprintf("duration_stretch=%.3f", 1/m.Speed))
	}
	return out
}

// hear is not what flite does.
func (f flite) hear(context.Context, []byte, string, Hearing) ([]string, error) {
	return nil, fault.New(fault.Unavailable, "flite speaks; it does not hear")
}

// readBounded reads a file of at most [MaxAudio] bytes.
func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "flite ended well, but wrote nothing").Because(err)
	}
	if info.Size() > MaxAudio {
		return nil, fault.New(fault.Unavailable, "flite wrote more than %d MB", MaxAudio>>20)
	}
	return os.ReadFile(path)
}

// sphinx is pocketsphinx, which hears. Its releases differ in what they are called
// and how they answer.
type sphinx struct {
	path  string
	lines bool   // it is release 5, which answers with lines of JSON
	batch string // its program for many recordings, which knows alternatives; empty when it is not installed
}

// findSphinx returns the release that is installed, or nil.
func findSphinx() backend {
	batch, _ := exec.LookPath("pocketsphinx_batch") // without it there are no alternatives
	if path, err := exec.LookPath("pocketsphinx"); err == nil {
		return sphinx{path, true, batch}
	}
	if path, err := exec.LookPath("pocketsphinx_continuous"); err == nil {
		return sphinx{path, false, batch}
	}
	return nil
}

// knows is true for the language of the model that is installed with it.
func (s sphinx) knows(language string) bool { return language == "en" }

func (s sphinx) name() string { return "pocketsphinx" }

// local is true for a program.
func (s sphinx) local() bool { return true }

// speak is not what pocketsphinx does.
func (s sphinx) speak(context.Context, string, Manner) ([]byte, error) {
	return nil, fault.New(fault.Unavailable, "pocketsphinx hears; it does not speak")
}

// hear tells no words on the way: the program writes them once it has heard everything.
func (s sphinx) hear(ctx context.Context, wav []byte, _ string, h Hearing) (texts []string, err error) {
	err = inFolder(func(dir string) error {
		in := filepath.Join(dir, "speech.wav")
		if err := os.WriteFile(in, wav, 0o600); err != nil {
			return fmt.Errorf("write a recording: %w", err)
		}
		if h.Alternatives > 0 && s.batch != "" {
			texts, err = s.hearBest(ctx, dir, h.Alternatives)
			if err == nil && h.Grammar != "" {
				texts = append(texts[:min(len(texts), 1+h.Alternatives)], s.hearBy(ctx, dir, h))
			}
			return err
		}
		args := []string{"-infile", in, "-logfn", os.DevNull}
		if s.lines {
			args = []string{"single", in}
		}
		out, err := run(ctx, s.path, args...)
		if err == nil {
			var text string
			text, err = s.read(out)
			texts = []string{text}
		}
		return err
	})
	return texts, err
}

// wavHead is how many bytes of the files that we write come before the samples.
const wavHead = "44"

// hearBest returns what the recording speech.wav in a folder may say: what the program takes
// it for, and then up to n more transcripts as it ranks them.
func (s sphinx) hearBest(ctx context.Context, dir string, n int) ([]string, error) {
	list, hypothesis := filepath.Join(dir, "list"), filepath.Join(dir, "words")
	if err := os.WriteFile(list, []byte("speech\n"), 0o600); err != nil {
		return nil, fmt.Errorf("write a list of recordings: %w", err)
	}
	_, err := run(ctx, s.batch, "-adcin", "yes", "-adchdr", wavHead, "-ctl", list, "-cepdir", dir, "-cepext", ".wav", "-hyp", hypothesis,
		"-nbest", strconv.Itoa(n+1), "-nbestdir", dir, "-nbestext", ".best", "-logfn", os.DevNull)
	if err != nil {
		return nil, err
	}
	first, err := os.ReadFile(hypothesis)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "pocketsphinx ended well, but wrote nothing").Because(err)
	}
	more, err := os.ReadFile(filepath.Join(dir, "speech.best"))
	if err != nil && !errors.Is(err, os.ErrNotExist) { // there is none where nothing was heard
		return nil, fmt.Errorf("read what else was heard: %w", err)
	}
	var texts []string
	for line := range strings.Lines(string(first) + "\n" + string(more)) {
		text := withoutScore(line)
		if text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// hearBy returns what the recording speech.wav in a folder says by a grammar; nothing where the
// program does not take that.
func (s sphinx) hearBy(ctx context.Context, dir string, h Hearing) string {
	grammar, hypothesis := filepath.Join(dir, "grammar"), filepath.Join(dir, "by-grammar")
	names := "<NULL>"
	if known := knownWords(h.Names); len(known) > 0 {
		names = strings.Join(known, " | ")
	}
	if os.WriteFile(grammar, []byte(h.Grammar+"<name> = "+names+";\n"), 0o600) != nil {
		return ""
	}
	_, err := run(ctx, s.batch, "-adcin", "yes", "-adchdr", wavHead, "-ctl", filepath.Join(dir, "list"), "-cepdir", dir, "-cepext", ".wav", "-hyp", hypothesis,
		"-jsgf", grammar, "-logfn", os.DevNull)
	words, readErr := os.ReadFile(hypothesis)
	if err != nil || readErr != nil {
		return "" // what was heard without it stands
	}
	return withoutScore(string(words))
}

// sphinxWords is the dictionary of the model that pocketsphinx has by default. A grammar with a
// word that is not in it is not taken.
const sphinxWords = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

// knownWords returns those of some words that pocketsphinx knows.
func knownWords(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	dictionary, err := os.ReadFile(sphinxWords)
	if err != nil {
		return nil
	}
	var out []string
	for _, word := range words {
		if bytes.Contains(dictionary, []byte("\n"+strings.ToLower(word)+" ")) {
			out = append(out, strings.ToLower(word))
		}
	}
	return out
}

// score matches what stands behind the words: "there are fifteen people -29353", or
// "there are fifteen people (speech -7804)".
var score = regexp.MustCompile(`\s*(\(\S+ -?\d+\)|-?\d+)\s*$`)

func withoutScore(line string) string {
	return strings.Join(strings.Fields(score.ReplaceAllString(line, "")), " ")
}

// read returns the words of what pocketsphinx wrote.
func (s sphinx) read(out []byte) (string, error) {
	if !s.lines {
		return strings.Join(strings.Fields(string(out)), " "), nil
	}
	var words []string
	for line := range bytes.Lines(out) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var heard struct{ T string }
		if err := json.Unmarshal(line, &heard); err != nil {
			return "", fault.New(fault.Unavailable, "pocketsphinx answers, but not with what it heard").Because(err)
		}
		words = append(words, strings.Fields(heard.T)...)
	}
	return strings.Join(words, " "), nil
}

// inFolder calls f with a new folder, which is removed afterwards.
func inFolder(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "quaestor-speech-")
	if err != nil {
		return fmt.Errorf("make a folder for speech: %w", err)
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}

// pipeDelay is how long the pipes of a killed program are waited for: a child of it may
// hold them open.
const pipeDelay = 2 * time.Second

// run returns what a program writes, [maxHeard] bytes at most. When ctx ends it is
// killed, and so is all that it started.
func run(ctx context.Context, path string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = pipeDelay
	out := &headBuffer{most: maxHeard}
	cmd.Stdout = out
	name := filepath.Base(path)
	switch err := cmd.Run(); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fault.New(fault.Unavailable, "%s takes too long", name).Coded("speech_timeout").Because(err)
	case err != nil:
		return nil, fault.New(fault.Unavailable, "%s failed", name).Coded("speech_program").Because(err)
	}
	return out.Bytes(), nil
}

// headBuffer keeps the first bytes that are written and drops the rest without an error, so
// that the program is not cut off.
type headBuffer struct {
	bytes.Buffer
	most int
}

// Write never fails.
func (b *headBuffer) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(b.most-b.Len(), 0))])
	return len(p), nil
}
