package reader_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"quaestor/research/reader"
)

// TestMain is also the child that reads PDFs, in the ways the first argument
// names: as it should, silent for ever, hungry for memory, talking without end.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "child":
			os.Exit(reader.Child(os.Stdin, os.Stdout))
		case "child-silent":
			select {}
		case "child-endless":
			for {
				if _, err := os.Stdout.Write(make([]byte, 1<<16)); err != nil {
					os.Exit(1)
				}
			}
		}
	}
	goleak.VerifyTestMain(m)
}
