// Package searchtest is a server that speaks the search APIs of SearXNG, Brave and
// Tavily from a script.
//
// All three are at one address, each at its own path, so a test may point any of
// the engines at [Server.URL]. What is found is set with [Server.Add], what goes
// wrong with [Server.Fail] and [Server.FailNext]. Like the real ones, the server
// wants a key where the vendor does, refuses queries and counts over the vendor's
// bounds, and puts markup and fields nobody needs into its answers.
//
//	srv := searchtest.New(t)
//	srv.Add("bicycle market", searchtest.Hit{URL: "https://example.com/bicycles", Title: "Bicycles"})
//	engine, err := search.NewTavily(search.Options{Base: srv.URL(), Key: secret.New(searchtest.Key)})
//
// A stall ends with the request or the server, never later, so nothing is left
// running after [Server.Close].
package searchtest
