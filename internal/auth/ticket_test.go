package auth_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
)

func TestTicketIsReadAsItWasMade(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	for _, kind := range []auth.TicketKind{auth.Invitation, auth.Share, auth.Guest, auth.Call} {
		tenant := uuid.NewString()
		secret, made, err := auth.NewTicket(kind, tenant)
		if err != nil || seen[secret] || made.Tenant != tenant || len(made.Hash) != 32 {
			t.Fatalf("NewTicket = %q, %+v, %v", secret, made, err)
		}
		seen[secret] = true

		read, err := auth.ReadTicket(kind, secret)

		if diff := cmp.Diff(made, read); diff != "" || err != nil {
			t.Errorf("ReadTicket: %v (-made +read):\n%s", err, diff)
		}
	}
	if _, _, err := auth.NewTicket(auth.Guest, "development"); err == nil {
		t.Error("a ticket was made for what is no tenant's id")
	}
}

func TestWhatIsNoTicketIsRefused(t *testing.T) {
	t.Parallel()

	secret, _, err := auth.NewTicket(auth.Invitation, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, in string }{
		{"empty", ""},
		{"the kind alone", string(auth.Invitation)},
		{"another kind", string(auth.Guest) + strings.TrimPrefix(secret, string(auth.Invitation))},
		{"cut short", secret[:len(secret)-4]},
		{"too long", secret + "AAAA"},
		{"not base64", secret[:len(secret)-1] + "!"},
		{"with a line end", secret[:20] + "\n" + secret[20:]},
		{"a token", "qst_" + strings.Repeat("A", 43)},
	} {
		if _, err := auth.ReadTicket(auth.Invitation, tt.in); !fault.Is(err, fault.NotFound) {
			t.Errorf("ReadTicket of one that is %s = %v, want not_found", tt.name, err)
		}
	}
}

func FuzzReadTicket(f *testing.F) {
	secret, _, err := auth.NewTicket(auth.Guest, "0b9f4c3e-0000-4000-8000-000000000000")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(secret)
	f.Add("qsg_")
	f.Fuzz(func(t *testing.T, in string) {
		ticket, err := auth.ReadTicket(auth.Guest, in)
		if err != nil {
			return
		}
		if _, err := uuid.Parse(ticket.Tenant); err != nil || len(ticket.Hash) != 32 || len(in) != 4+64 {
			t.Errorf("ReadTicket(%q) = %+v", in, ticket)
		}
	})
}
