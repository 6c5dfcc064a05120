package llm_test

import (
	"context"
	"fmt"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

func ExampleClient_Stream() {
	srv := llmtest.Start()
	defer srv.Close()
	srv.OnReply(llmtest.Reply{Text: "How many people are there?"})
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "any"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	request := llm.Request{Purpose: "reply", Messages: []llm.Message{{Role: "user", Content: "Hello"}}}
	reply, err := client.Stream(context.Background(), request, func(piece string) error {
		fmt.Print(piece)
		return nil
	})
	fmt.Println("|", reply.FinishReason, err)
	// Output: How many people are there?| stop <nil>
}
