// Package searchtest is a scripted server that speaks the search APIs of SearXNG,
// Brave and Tavily.
//
// All three share one address and differ in their paths, so that a test may point
// any of the engines at [Server.URL]. [Server.Add] sets what is found, and
// [Server.Fail] and [Server.FailNext] what goes wrong. Like the real services, the
// server requires a key where the vendor does, refuses queries and counts beyond
// the vendor's limits, and includes markup and superfluous fields in its responses.
//
//	srv := searchtest.New(t)
//	srv.Add("bicycle market", searchtest.Hit{URL: "https://example.com/bicycles", Title: "Bicycles"})
//	engine, err := search.NewTavily(search.Options{Base: srv.URL(), Key: secret.New(searchtest.Key)})
//
// A stalled response ends with its request or with the server at the latest, so
// that nothing is left running after [Server.Close].
package searchtest
