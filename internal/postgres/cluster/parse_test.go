package cluster

import "testing"

func TestParseVersion(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in, version string
		major             int
	}{
		{"debian", "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", "15.18", 15},
		{"plain", "postgres (PostgreSQL) 17.2\n", "17.2", 17},
		{"beta", "postgres (PostgreSQL) 18beta1\n", "18beta1", 18},
		{"other program", "mysqld 8.0\n", "", 0},
		{"no number", "postgres (PostgreSQL) devel\n", "", 0},
		{"cut off", "postgres (PostgreSQL) ", "", 0},
		{"empty", "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			version, major := parseVersion(tt.in)
			if version != tt.version || major != tt.major {
				t.Errorf("parseVersion(%q) = %q, %d, want %q, %d", tt.in, version, major, tt.version, tt.major)
			}
		})
	}
}

func TestParseControl(t *testing.T) {
	t.Parallel()

	tests := []struct{ name, in, want string }{
		{"pgvector", "comment = 'vector data type'\ndefault_version = '0.8.0'\nmodule_pathname = '$libdir/vector'\n", "0.8.0"},
		{"tight", "default_version='0.5'", "0.5"},
		{"commented out", "# default_version = '0.5'\n", ""},
		{"no number", "default_version = 'next'\n", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := parseControl(tt.in); got != tt.want {
				t.Errorf("parseControl(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestOlder(t *testing.T) {
	t.Parallel()

	tests := []struct {
		a, b string
		want bool
	}{
		{"0.4.4", "0.5.0", true},
		{"0.5.0", "0.5.0", false},
		{"0.5", "0.5.0", false},
		{"0.10.0", "0.5.0", false},
		{"0.5.0", "0.5.0.1", true},
		{"1", "0.5.0", false},
	}
	for _, tt := range tests {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			t.Parallel()

			if got := older(tt.a, tt.b); got != tt.want {
				t.Errorf("older(%s, %s) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestParsePidFile(t *testing.T) {
	t.Parallel()

	const whole = "4711\n/data/pg\n1795232600\n5432\n/data/pg\n\n  9978872  4\nready   \n"
	tests := []struct {
		name, in string
		want     pidFile
		ok       bool
	}{
		{"ready", whole, pidFile{pid: 4711, socket: "/data/pg", status: "ready"}, true},
		{"just begun", "4711\n/data/pg\n", pidFile{pid: 4711}, true},
		{"no number", "me\n", pidFile{}, false},
		{"init is no server", "1\n", pidFile{}, false},
		{"a group", "-4711\n", pidFile{}, false},
		{"empty", "", pidFile{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got, ok := parsePidFile(tt.in)
			if got != tt.want || ok != tt.ok {
				t.Errorf("parsePidFile(%q) = %+v, %v, want %+v, %v", tt.in, got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestComplaint(t *testing.T) {
	t.Parallel()

	tests := []struct{ name, in, want string }{
		{"fatal", "10:00 LOG:  starting\n10:00 FATAL:  lock file exists\n10:00 LOG:  shut down\n", "lock file exists"},
		{"initdb", "creating…\ninitdb: error: directory exists\n", "directory exists"},
		{"only talk", "one\ntwo\n", "two"},
		{"silence", "", "it said nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := complaint(tt.in); got != tt.want {
				t.Errorf("complaint(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzParseVersion(f *testing.F) {
	f.Add("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n")
	f.Fuzz(func(t *testing.T, in string) {
		version, major := parseVersion(in)
		if (version == "") != (major == 0) && major != 0 || major < 0 {
			t.Errorf("parseVersion(%q) = %q, %d", in, version, major)
		}
	})
}

func FuzzParseControl(f *testing.F) {
	f.Add("default_version = '0.8.0'\n")
	f.Fuzz(func(t *testing.T, in string) {
		if v := parseControl(in); v != "" && (older(v, v) || numberAt([]string{v}, 1) != 0) {
			t.Errorf("parseControl(%q) = %q, older than itself", in, v)
		}
	})
}

func FuzzParsePidFile(f *testing.F) {
	f.Add("4711\n/data/pg\n1795232600\n5432\n/data/pg\n\n  9978872  4\nready   \n")
	f.Fuzz(func(t *testing.T, in string) {
		if p, ok := parsePidFile(in); ok && p.pid <= 1 {
			t.Errorf("parsePidFile(%q) = %+v: a signal to it would go astray", in, p)
		}
	})
}
