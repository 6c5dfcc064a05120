package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

// link is a model of a chain: a server that follows a script.
func link(t *testing.T, name string, change func(*llm.Options)) (*llm.Client, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	srv.Handle(func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: `{"name":"` + name + `","count":1}`}
	})
	o := llm.Options{BaseURL: srv.URL(), Model: name, Retries: -1, FirstToken: 5 * time.Second}
	if change != nil {
		change(&o)
	}
	c, err := llm.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, srv
}

func TestChainAsksTheNextWhenOneFails(t *testing.T) {
	t.Parallel()

	for name, fails := range map[string]llmtest.Reply{
		"refused": llmtest.Status(401, 0), "rate limited": llmtest.Status(429, 0), "broken": llmtest.Status(503, 0),
		"a page": {Fault: llmtest.HTML200}, "no words": {Fault: llmtest.EmptyChoices},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			first, one := link(t, "first", nil)
			second, _ := link(t, "second", nil)
			third, three := link(t, "third", nil)
			one.Handle(func(llmtest.Request) llmtest.Reply { return fails })
			chain := llm.Chain(first, second, third)

			var said strings.Builder
			streamed, err := chain.Stream(background(t), ask("hi"), func(s string) error { said.WriteString(s); return nil })
			if err != nil || streamed.Model != "second" || !strings.Contains(said.String(), "second") || streamed.Attempts < 2 {
				t.Errorf("Stream = %+v, %v, having said %q", streamed, err, said.String())
			}
			var out struct{ Name string }
			whole, err := chain.JSON(background(t), ask("hi"), nameSchema(t), &out)
			if err != nil || whole.Model != "second" || out.Name != "second" {
				t.Errorf("JSON = %+v, %v with %+v", whole, err, out)
			}
			if n := len(three.Requests()); n != 0 {
				t.Errorf("the third was asked %d times although the second answered", n)
			}
		})
	}
}

func TestChainAsksTheNextWhenOneIsNotThere(t *testing.T) {
	t.Parallel()

	first, err := llm.New(llm.Options{BaseURL: "http://127.0.0.1:1/v1", Model: "first", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	second, _ := link(t, "second", nil)
	reply, err := llm.Chain(first, second).Stream(background(t), ask("hi"), func(string) error { return nil })
	if err != nil || reply.Model != "second" {
		t.Errorf("Stream = %+v, %v", reply, err)
	}
}

func TestChainEndsWithTheFailureOfTheLast(t *testing.T) {
	t.Parallel()

	first, one := link(t, "first", nil)
	second, two := link(t, "second", nil)
	one.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Status(503, 0) })
	two.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Status(401, 0) })
	reply, err := llm.Chain(first, second).Stream(background(t), ask("hi"), func(string) error { return nil })
	if e := failure(t, err, llm.Refused); e.Status != 401 || reply.Model != "second" {
		t.Errorf("Stream = %+v, %v", reply, err)
	}
}

// What a person has read is never said again by another model, and a call that its caller
// ends is not handed on.
func TestChainHandsOnNothingThatWasBegun(t *testing.T) {
	t.Parallel()

	first, one := link(t, "first", nil)
	second, two := link(t, "second", nil)
	one.Handle(func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: "Half of an answer", Fault: llmtest.ResetMidStream}
	})
	chain := llm.Chain(first, second)
	if reply, err := chain.Stream(background(t), ask("hi"), func(string) error { return nil }); err == nil || reply.Text == "" {
		t.Errorf("Stream = %+v, %v", reply, err)
	}
	ended := errors.New("enough")
	one.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "Hello"} })
	if _, err := chain.Stream(background(t), ask("hi"), func(string) error { return ended }); !errors.Is(err, ended) {
		t.Errorf("Stream = %v", err)
	}
	if n := len(two.Requests()); n != 0 {
		t.Errorf("the second was asked %d times", n)
	}
}

func TestCallsThatAreNotAdmittedGoToTheNext(t *testing.T) {
	t.Parallel()

	left := 1
	first, one := link(t, "first", func(o *llm.Options) {
		o.Admit = func(context.Context) error {
			if left--; left < 0 {
				return errors.New("used up")
			}
			return nil
		}
	})
	second, _ := link(t, "second", nil)
	chain := llm.Chain(first, second)
	for _, want := range []string{"first", "second"} {
		if reply, err := chain.Stream(background(t), ask("hi"), func(string) error { return nil }); err != nil || reply.Model != want {
			t.Errorf("Stream = %+v, %v, want %s", reply, err, want)
		}
	}
	_, err := first.Stream(background(t), ask("hi"), func(string) error { return nil })
	if e := failure(t, err, llm.Limited); e.Reason != llm.ReasonQuota || len(one.Requests()) != 1 {
		t.Errorf("alone: %v after %d requests", e, len(one.Requests()))
	}
}

func TestAnswersAreBoundedByTheClient(t *testing.T) {
	t.Parallel()

	c, srv := link(t, "m", func(o *llm.Options) { o.MaxTokens = 100 })
	for _, most := range []int{0, 40, 4000} {
		r := ask("hi")
		r.MaxTokens = most
		if _, err := c.Stream(background(t), r, func(string) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []int{100, 40, 100} {
		if got := srv.Requests()[i].MaxTokens; got != want {
			t.Errorf("request %d allows %d tokens, want %d", i, got, want)
		}
	}
}

func nameSchema(t *testing.T) llm.Schema {
	t.Helper()
	s, err := llm.NewSchema("name", []byte(`{"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"}},"required":["name","count"]}`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
