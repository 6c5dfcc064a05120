package webtest

// ReachesAll follows the pages of a list, which show so many sessions, each once.
func (w *World) ReachesAll(path string, want int) {
	w.T.Helper()
	seen, begun := map[string]bool{}, path
	for path != "" {
		root := w.Drawn(path)
		for _, row := range Tested(root, "row-") {
			id := Attribute(row, "data-testid")
			if seen[id] {
				w.T.Fatalf("%s: %s is on two pages", begun, id)
			}
			seen[id] = true
		}
		path = ""
		if next := Tested(root, "older"); len(next) == 1 {
			path = Attribute(next[0], "href")
		}
	}

	if len(seen) != want {
		w.T.Errorf("%s: the pages show %d sessions, want %d", begun, len(seen), want)
	}
}
