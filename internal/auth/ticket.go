package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"quaestor/internal/fault"
)

// TicketKind says what a ticket is for. It stands in front of the secret, where
// people and secret scanners recognise it.
type TicketKind string

// The kinds.
const (
	Invitation TicketKind = "qsi_" // lets its bearer take part in a session, once
	Share      TicketKind = "qsb_" // shows its bearer a brief
	Guest      TicketKind = "qsg_" // is what somebody without an account comes back to a session with
)

// Ticket is what is kept and looked up of a secret that was handed out.
type Ticket struct {
	Tenant string // id; the secret says it, so that looking it up needs no other tenant's rows
	Hash   []byte // SHA-256 of the secret
}

const (
	tenantBytes = 16
	secretBytes = 32
)

// NewTicket returns a new secret of the tenant, to be shown once, and what to
// keep of it.
func NewTicket(kind TicketKind, tenant string) (secret string, t Ticket, err error) {
	id, err := hex.DecodeString(strings.ReplaceAll(tenant, "-", ""))
	if err != nil || len(id) != tenantBytes {
		return "", Ticket{}, fmt.Errorf("make ticket: %q is no tenant's id", tenant)
	}
	body := make([]byte, tenantBytes+secretBytes)
	copy(body, id)
	_, _ = rand.Read(body[tenantBytes:]) // never fails
	secret = string(kind) + base64.RawURLEncoding.EncodeToString(body)
	sum := sha256.Sum256([]byte(secret))
	return secret, Ticket{Tenant: tenant, Hash: sum[:]}, nil
}

// ReadTicket returns what to look a secret up by. What no ticket of the kind
// looks like is NotFound, as one that nobody has handed out will be.
func ReadTicket(kind TicketKind, secret string) (Ticket, error) {
	rest, ok := strings.CutPrefix(secret, string(kind))
	body, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if !ok || err != nil || len(body) != tenantBytes+secretBytes || strings.ContainsAny(rest, "\r\n") {
		return Ticket{}, fault.New(fault.NotFound, "this is no link of ours, or not all of it")
	}
	id := hex.EncodeToString(body[:tenantBytes])
	sum := sha256.Sum256([]byte(secret))
	return Ticket{Tenant: id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:], Hash: sum[:]}, nil
}
