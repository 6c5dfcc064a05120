package pgwire

import (
	"slices"
	"strings"
	"testing"

	"quaestor/research/warehouse"
)

func rights(t *testing.T, c warehouse.Conn) warehouse.Rights {
	t.Helper()
	r, err := c.Rights(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.CanWrite != (len(r.Why) > 0) || !strings.Contains(r.Server, "PostgreSQL") {
		t.Errorf("rights are %+v", r)
	}
	return r
}

func TestRights(t *testing.T) {
	t.Parallel()

	l := newLab(t, append(owned, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")...)
	if r := rights(t, l.open("")); !slices.Contains(r.Why, "everything: it is a superuser") {
		t.Errorf("the superuser: %v", r.Why)
	}
	role := l.role("GRANT USAGE ON SCHEMA own TO %", "GRANT SELECT ON own.t TO %")
	c := l.open(role)
	if r := rights(t, c); r.CanWrite || r.Role != role {
		t.Errorf("a reader: %+v", r)
	}
	l.exec("GRANT INSERT (v), TRUNCATE ON own.t TO "+role, "GRANT CREATE ON SCHEMA own TO "+role, "GRANT USAGE ON SEQUENCE own.s TO "+role, "ALTER ROLE "+role+" CREATEROLE")
	want := []string{"create roles", "create in schema own", "insert into own.t", "truncate own.t", "advance sequence own.s"}
	if r := rights(t, c); !slices.Equal(r.Why, want) {
		t.Errorf("a writer: %q, want %q", r.Why, want)
	}
	l.exec("GRANT pg_write_all_data TO " + role)
	if r := rights(t, c); !slices.Contains(r.Why, "act as pg_write_all_data") || !slices.Contains(r.Why, "delete from own.t") || len(r.Why) > 50 {
		t.Errorf("one who may write everything: %q", r.Why)
	}
}

// What is granted is enough to read, and for nothing else.
func TestGrant(t *testing.T) {
	t.Parallel()

	l := newLab(t, append(owned, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")...)
	s := l.settings(`odd "role" ` + strings.TrimPrefix(l.url.Path, "/"))
	s.Schemas = []string{"own"}
	l.exec(strings.Split(strings.TrimSpace(new(Connector).Grant(s)), "\n")...)
	name := quote(s.Options["user"])
	defer l.exec("DROP OWNED BY "+name, "DROP ROLE "+name)

	c := l.open(s.Options["user"])
	if r := rights(t, c); r.CanWrite {
		t.Errorf("the role may %v", r.Why)
	}
	if r := query(t, c, "SELECT * FROM own.t", warehouse.Limits{}); r.Rows != 2 {
		t.Errorf("%d rows", r.Rows)
	}
}
