package search_test

import (
	"context"
	"fmt"

	"quaestor/internal/secret"
	"quaestor/research/search"
	"quaestor/research/search/searchtest"
)

func Example() {
	srv, err := searchtest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	srv.Add("bicycle market", searchtest.Hit{URL: "https://example.com/bicycles?utm_source=feed", Title: "The <b>bicycle</b> market"})

	engine, err := search.NewTavily(search.Options{Base: srv.URL(), Key: secret.New(searchtest.Key), Client: fresh()})
	if err != nil {
		fmt.Println(err)
		return
	}
	hits, err := engine.Search(context.Background(), search.Query{Words: "market size of bicycle sales"})
	fmt.Println(hits[0].Engine, hits[0].URL, hits[0].Title, err)
	// Output: tavily https://example.com/bicycles The bicycle market <nil>
}
