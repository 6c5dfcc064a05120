package auth_test

import (
	"testing"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
)

func TestMay(t *testing.T) {
	t.Parallel()

	permissions := []auth.Permission{auth.Read, auth.Talk, auth.Review, auth.Author, auth.Manage, "", "everything"}
	for _, tt := range []struct {
		in   auth.Role
		want [7]bool
	}{
		{auth.Owner, [7]bool{true, true, true, true, true}},
		{auth.Admin, [7]bool{true, true, true, true, true}},
		{auth.Reviewer, [7]bool{true, true, true}},
		{auth.Member, [7]bool{true, true}},
		{auth.Viewer, [7]bool{true}},
		{"", [7]bool{}},
		{"Owner", [7]bool{}},
		{"root", [7]bool{}},
	} {
		for i, p := range permissions {
			if got := (auth.Actor{Role: tt.in}).May(p); got != tt.want[i] {
				t.Errorf("a role %q may %q: %t, want %t", tt.in, p, got, tt.want[i])
			}
		}
	}
}

func TestParseRole(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"owner", "admin", "reviewer", "member", "viewer"} {
		if got, err := auth.ParseRole(name); string(got) != name || err != nil {
			t.Errorf("ParseRole(%q) = %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "Owner", " owner", "owner ", "root", "owner\x00"} {
		if got, err := auth.ParseRole(name); got != "" || !fault.Is(err, fault.Unprocessable) {
			t.Errorf("ParseRole(%q) = %q, %v, want unprocessable", name, got, err)
		}
	}
}

func FuzzParseRole(f *testing.F) {
	f.Add("owner")
	f.Add("")
	f.Fuzz(func(t *testing.T, name string) {
		got, err := auth.ParseRole(name)
		if (err == nil) != (auth.Actor{Role: got}).May(auth.Read) || (err == nil && string(got) != name) {
			t.Errorf("ParseRole(%q) = %q, %v", name, got, err)
		}
	})
}
