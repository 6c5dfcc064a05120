package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every type that the glossary names exists, so that it cannot fall behind a rename.
func TestGlossaryNamesTypesThatExist(t *testing.T) {
	text, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := typesOfModule(t, "../..")
	named := regexp.MustCompile("`([a-z]+\\.[A-Z][A-Za-z]+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 50 {
		t.Errorf("the glossary names %d types; were its tables written differently?", len(named))
	}
	for _, m := range named {
		if !declared[m[1]] {
			t.Errorf("docs/glossary.md names the type %s, which does not exist", m[1])
		}
	}
}

// typesOfModule returns the exported types of the module below root, as package.Type.
func typesOfModule(t *testing.T, root string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "dbsqlc" || d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			types, ok := decl.(*ast.GenDecl)
			if !ok || types.Tok != token.TYPE {
				continue
			}
			for _, spec := range types.Specs {
				out[file.Name.Name+"."+spec.(*ast.TypeSpec).Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
