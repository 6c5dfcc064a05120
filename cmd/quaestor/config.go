package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse/analyst"
	"quaestor/sessions/settings"
)

// cli is the command line. Its settings apply to every command.
type cli struct {
	Settings

	Serve     serveCommand        `cmd:"" help:"Run the server."`
	Work      workCommand         `cmd:"" help:"Work jobs only: research, summaries, search. For processes beside the servers of an outside database."`
	Migrate   migrateCommand      `cmd:"" help:"Bring the database to the newest schema."`
	Doctor    doctorCommand       `cmd:"" help:"Say what is present, missing or unsafe, and what mends it."`
	Config    configCommand       `cmd:"" help:"Print the effective settings, secrets masked."`
	Token     tokenCommand        `cmd:"" help:"Make, list and revoke access tokens."`
	Objective objectiveCommand    `cmd:"" help:"Check, import and export objectives."`
	Session   sessionCommand      `cmd:"" help:"List, export and replay sessions."`
	Org       organisationCommand `cmd:"" help:"List organisations, and erase them."`
	Secrets   secretsCommand      `cmd:"" help:"Look after the keys that seal passwords of warehouses and keys of models."`
	Eval      evalCommand         `cmd:"" help:"Measure interviews with simulated people."`
	Version   versionCommand      `cmd:"" help:"Print the version."`
}

// Settings are the settings of the program, each declared once with its flag,
// variable, default and help. A flag wins over its variable. Kong derives the flag
// from the field's name: see [kebab].
type Settings struct {
	Addr               string        `help:"Address to listen on; port 0 picks a free one." default:"127.0.0.1:8080" env:"QUAESTOR_ADDR"`
	DataDir            string        `help:"Folder for everything that lasts when no outside database is used." default:"${data_dir}" env:"QUAESTOR_DATA_DIR"`
	DatabaseURL        secret.Secret `help:"Outside PostgreSQL (15 or newer, with pgvector); unset runs a private one." env:"DATABASE_URL" placeholder:"URL"`
	PGBin              string        `name:"pg-bin" help:"Folder of the PostgreSQL programs for the private database; unset searches." env:"QUAESTOR_PG_BIN"`
	Auth               string        `help:"development: whoever is on this machine is the owner. tokens: every request needs one." enum:"development,tokens" default:"development" env:"QUAESTOR_AUTH"`
	Model              string        `help:"Name of the model that interviews where an organisation has set none of its own; unset leaves it to the built-in rules." env:"QUAESTOR_MODEL"`
	ModelURL           string        `help:"Base URL of an OpenAI-compatible API." default:"https://api.openai.com/v1" env:"OPENAI_BASE_URL"`
	ModelKey           secret.Secret `help:"Key for that API." env:"OPENAI_API_KEY"`
	ModelPrivate       []string      `help:"Private networks that models which organisations set may be in, such as 10.1.0.0/16; in development any." env:"QUAESTOR_MODEL_PRIVATE" placeholder:"CIDR"`
	EmbeddingModel     string        `help:"Name of the model that encodes texts for search by meaning; unset uses the provisioned encoder, or words only." env:"QUAESTOR_EMBEDDING_MODEL"`
	EmbeddingURL       string        `help:"Base URL of the OpenAI-compatible API it is at; unset means that of the interviewing model." env:"QUAESTOR_EMBEDDING_URL" placeholder:"URL"`
	EmbeddingKey       secret.Secret `help:"Key for that API; unset means that of the interviewing model, if it is the same API." env:"QUAESTOR_EMBEDDING_KEY"`
	EmbeddingDimension int           `help:"Numbers of each of its vectors, 1 to 1536; 0 means 1536." default:"0" env:"QUAESTOR_EMBEDDING_DIMENSION"`
	PromptPrice        float64       `help:"What 1,000 tokens of a prompt cost, in any one currency; for objectives with a budget in money." default:"0" env:"QUAESTOR_PROMPT_PRICE"`
	ReplyPrice         float64       `help:"What 1,000 tokens of an answer cost." default:"0" env:"QUAESTOR_REPLY_PRICE"`
	KeepPrompts        int           `help:"Days for which what a model was asked in each turn, and what it answered, is kept for reviewers; 0 keeps none." default:"30" env:"QUAESTOR_KEEP_PROMPTS"`
	SearXNGURL         string        `name:"searxng-url" help:"Address of a SearXNG server that searches the web for research." env:"QUAESTOR_SEARXNG_URL" placeholder:"URL"`
	BraveKey           secret.Secret `help:"Key of the Brave Search API, to search the web for research." env:"QUAESTOR_BRAVE_KEY"`
	BraveURL           string        `help:"Another address of that API, such as a gateway's." env:"QUAESTOR_BRAVE_URL" placeholder:"URL"`
	TavilyKey          secret.Secret `help:"Key of the Tavily API, to search the web for research." env:"QUAESTOR_TAVILY_KEY"`
	TavilyURL          string        `help:"Another address of that API, such as a gateway's." env:"QUAESTOR_TAVILY_URL" placeholder:"URL"`
	DocumentsDir       string        `help:"Folder of documents that research reads, one folder in it for each organisation; in development the folder itself. Unset means documents in the data folder." env:"QUAESTOR_DOCUMENTS_DIR" placeholder:"DIR"`
	ReadPrivate        []string      `help:"Private networks that research may read pages from, such as 10.1.0.0/16 for an intranet; unset means none." env:"QUAESTOR_READ_PRIVATE" placeholder:"CIDR"`
	ResearchDaily      int           `help:"Pieces of research an organisation may begin in 24 hours." default:"200" env:"QUAESTOR_RESEARCH_DAILY"`
	ResearchLease      time.Duration `help:"How long a worker may be silent before its research is taken for lost and another goes on with it." default:"20s" env:"QUAESTOR_RESEARCH_LEASE"`
	SessionTurns       int           `help:"Turns an interview may take where the organisation says nothing else; 0 for as many as its objective allows." default:"0" env:"QUAESTOR_SESSION_TURNS"`
	SessionMinutes     float64       `help:"Minutes of active time an interview may take; 0 for as many as its objective allows." default:"0" env:"QUAESTOR_SESSION_MINUTES"`
	SessionMoney       float64       `help:"What models may cost for an interview, in the currency of the prices; 0 for as much as its objective allows." default:"0" env:"QUAESTOR_SESSION_MONEY"`
	KeepFinishedDays   int           `help:"Days after its last change that a finished interview is deleted where the organisation says nothing else; 0 for never." default:"0" env:"QUAESTOR_KEEP_FINISHED_DAYS"`
	KeepIdleDays       int           `help:"Days after its last change that an open interview is deleted; 0 for never." default:"0" env:"QUAESTOR_KEEP_IDLE_DAYS"`
	KeepJobsDays       int           `help:"Days that failed and cancelled jobs are kept, 30 at most; 0 for those 30." default:"7" env:"QUAESTOR_KEEP_JOBS_DAYS"`
	KeepAlertsDays     int           `help:"Days after they were read that alerts on findings are deleted; 0 for never." default:"180" env:"QUAESTOR_KEEP_ALERTS_DAYS"`
	SpeechURL          string        `help:"Base URL of an OpenAI-compatible API that speaks and hears; unset uses flite and pocketsphinx where they are installed." env:"QUAESTOR_SPEECH_URL" placeholder:"URL"`
	SpeechKey          secret.Secret `help:"Key for that API." env:"QUAESTOR_SPEECH_KEY"`
	SpeechModel        string        `help:"Name of the model there that speaks." default:"tts-1" env:"QUAESTOR_SPEECH_MODEL"`
	SpeechVoice        string        `help:"Name of the voice that it speaks with." default:"alloy" env:"QUAESTOR_SPEECH_VOICE"`
	HearingModel       string        `help:"Name of the model there that hears." default:"whisper-1" env:"QUAESTOR_HEARING_MODEL"`
	SecretsFile        string        `help:"File with the keys that seal passwords of warehouses and keys of models; made when it is not there. Unset means secrets.json in the data folder; with an outside database it must be set, to the same keys on every server." env:"QUAESTOR_SECRETS_FILE" placeholder:"FILE"`
	WarehouseDir       string        `help:"Folder of files that may be explored as warehouses, one folder in it for each organisation, by its id; in development any file may." env:"QUAESTOR_WAREHOUSE_DIR" placeholder:"DIR"`
	WarehousePrivate   []string      `help:"Private networks that warehouses may be in, such as 10.1.0.0/16; in development any." env:"QUAESTOR_WAREHOUSE_PRIVATE" placeholder:"CIDR"`
	GovernanceURL      string        `help:"Address of a service that is asked about every statement before a warehouse gets it, and may refuse or rewrite it." env:"QUAESTOR_GOVERNANCE_URL" placeholder:"URL"`
	GovernanceToken    secret.Secret `help:"Bearer token for that service." env:"QUAESTOR_GOVERNANCE_TOKEN"`
	ModelWindow        int           `help:"Tokens the model takes, prompt and answer together; exploring warehouses keeps within them." default:"32000" env:"QUAESTOR_MODEL_WINDOW"`
	ModelCalls         int           `help:"Calls of the model in a turn: 2 read the message and reply at the same time, 1 does both in one." default:"2" env:"QUAESTOR_MODEL_CALLS"`
	QuestionWait       time.Duration `help:"How long after a message its reply's question waits for the model to read it." default:"8s" env:"QUAESTOR_QUESTION_WAIT"`
	TurnLimit          time.Duration `help:"Longest a turn may take." default:"90s" env:"QUAESTOR_TURN_LIMIT"`
	DrainLimit         time.Duration `help:"How long running turns may go on when the server is told to stop." default:"25s" env:"QUAESTOR_DRAIN_LIMIT"`
	MaxConns           int32         `help:"Database connections this process may open." default:"9" env:"QUAESTOR_MAX_CONNS"`
	LogLevel           string        `help:"debug, info, warn or error." enum:"debug,info,warn,error" default:"info" env:"QUAESTOR_LOG_LEVEL"`
}

// level returns the log level. An unknown name is impossible: kong has checked the
// enumeration.
func (s *Settings) level() slog.Level {
	var l slog.Level
	_ = l.UnmarshalText([]byte(s.LogLevel))
	return l
}

// maxKeepPrompts is the most days that prompts can be kept: ten years. The bound is
// there to catch mistyped numbers.
const maxKeepPrompts = 3650

// check returns a fault for the first setting that is unsafe, cannot be used, or does
// not fit another. It opens no connection.
func (s *Settings) check() error {
	host, port, err := net.SplitHostPort(s.Addr)
	if _, none := strconv.ParseUint(port, 10, 16); err != nil || none != nil {
		return fault.New(fault.Invalid, "must be host:port, such as 127.0.0.1:8080, not %q", s.Addr).At(setting("addr"))
	}
	ip := net.ParseIP(host)
	if loopback := host == "localhost" || (ip != nil && ip.IsLoopback()); !loopback && s.Auth == "development" {
		return fault.New(fault.Invalid, "%s can be reached from other machines, and in development everybody would be the owner; listen on 127.0.0.1, or set --auth tokens (QUAESTOR_AUTH=tokens)", s.Addr).At(setting("addr"))
	}
	for _, check := range []func() error{s.checkNumbers, s.checkTimes, s.checkAddresses, s.checkFolders} {
		if err := check(); err != nil {
			return err
		}
	}
	if _, err := s.readable(); err != nil {
		return err
	}
	if _, err := s.modelNetworks(); err != nil {
		return err
	}
	if s.DataDir == "" && s.DatabaseURL.IsZero() {
		return fault.New(fault.Invalid, "say where to keep data: --data-dir DIR").At(setting("data-dir"))
	}
	return nil
}

// defaults returns what applies to an organisation that has set nothing itself.
func (s *Settings) defaults() settings.Values { return s.policy().Over(settings.Values{}) }

// policy returns the server's own values for what organisations can also set
// themselves.
func (s *Settings) policy() settings.Policy {
	return settings.Policy{SessionTurns: &s.SessionTurns, SessionMinutes: &s.SessionMinutes, SessionMoney: &s.SessionMoney, ResearchDaily: &s.ResearchDaily,
		KeptFinishedDays: &s.KeepFinishedDays, KeptIdleDays: &s.KeepIdleDays, KeptPromptsDays: &s.KeepPrompts, KeptJobsDays: &s.KeepJobsDays, KeptAlertsDays: &s.KeepAlertsDays}
}

// configCommand prints the effective settings.
type configCommand struct{}

// Run prints each setting with its flag, variable and value. It fails after that when
// a setting is wrong, so that the wrong value can be seen.
func (configCommand) Run(s *Settings, io *streams) error {
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	for _, o := range s.options() {
		value := fmt.Sprint(o.value) // a secret prints itself as ***
		if hidden, ok := o.value.(secret.Secret); value == "" || ok && hidden.IsZero() {
			value = "(not set)"
		}
		_, _ = fmt.Fprintf(w, "--%s\t%s\t%s\n", o.flag, o.variable, value) // a tabwriter keeps its first error for Flush
	}
	return errors.Join(w.Flush(), s.check())
}

// option is a setting as it is listed and as messages name it.
type option struct {
	flag           string // without its dashes
	variable, help string
	value          any
}

// options lists the settings in the order of their fields. The struct is the only place
// that declares them, so it is read by reflection, as kong reads it.
func (s *Settings) options() []option {
	v := reflect.ValueOf(*s)
	out := make([]option, v.NumField())
	for i := range out {
		f := v.Type().Field(i)
		out[i] = option{flag: cmp.Or(f.Tag.Get("name"), kebab(f.Name)), variable: f.Tag.Get("env"), help: f.Tag.Get("help"), value: v.Field(i).Interface()}
	}
	return out
}

// setting returns how messages name a setting: by its flag and its variable.
func setting(flag string) string {
	for _, o := range new(Settings).options() {
		if o.flag == flag {
			return "--" + flag + " (" + o.variable + ")"
		}
	}
	return "--" + flag
}

// kebab returns a field's name as kong spells its flag: MaxConns becomes max-conns and
// DatabaseURL becomes database-url.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		lower := i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z'
		if r >= 'A' && r <= 'Z' && lower {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// minConns is the fewest connections that a process needs. With one alone it would
// wait for itself: a refresh of a warehouse's schema holds a connection for its lock
// while it writes through another.
const minConns = 2

// maxConns is the most connections that a process may open. Each is a process of
// PostgreSQL, and far more of them than processors only slow the server down.
const maxConns = 500

// most stands for "no upper limit" in the table of [Settings.checkNumbers].
const most = math.MaxInt32

// checkNumbers returns a fault for the first number with which the server would start
// but not work.
func (s *Settings) checkNumbers() error {
	for _, n := range []struct {
		flag        string
		is          int
		least, most int
	}{
		{"max-conns", int(s.MaxConns), minConns, maxConns},
		{"model-window", s.ModelWindow, analyst.MinWindow, most},
		{"embedding-dimension", s.EmbeddingDimension, 0, embedding.Stored},
		{"keep-prompts", s.KeepPrompts, 0, maxKeepPrompts},
		{"research-daily", s.ResearchDaily, 0, most},
	} {
		switch {
		case n.is >= n.least && n.is <= n.most:
		case n.most == most:
			return fault.New(fault.Invalid, "must be %d or more, not %d", n.least, n.is).At(setting(n.flag))
		default:
			return fault.New(fault.Invalid, "must be %d to %d, not %d", n.least, n.most, n.is).At(setting(n.flag))
		}
	}
	for flag, price := range map[string]float64{"prompt-price": s.PromptPrice, "reply-price": s.ReplyPrice} {
		if !(price >= 0) || math.IsInf(price, 0) {
			return fault.New(fault.Invalid, "must be 0 or more, not %v", price).At(setting(flag))
		}
	}
	return s.checkPolicy()
}

// checkPolicy returns a fault for a default that organisations could not choose
// themselves. The fault names the field of the policy; its flag is called alike, but
// for keep instead of kept: keptJobsDays is --keep-jobs-days.
func (s *Settings) checkPolicy() error {
	err := s.policy().Check()
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	flag := strings.Replace(kebab(f.Field), "kept-", "keep-", 1)
	return fault.New(fault.Invalid, "%s", f.Message).At(setting(flag))
}

// checkTimes returns a fault for the first duration with which the server would start
// but not work.
func (s *Settings) checkTimes() error {
	for _, d := range []struct {
		flag      string
		is, least time.Duration
	}{
		{"turn-limit", s.TurnLimit, time.Second},
		{"question-wait", s.QuestionWait, 0},
		{"drain-limit", s.DrainLimit, 0},
		{"research-lease", s.ResearchLease, time.Second},
	} {
		if d.is < d.least {
			return fault.New(fault.Invalid, "must be %s or more, not %s", d.least, d.is).At(setting(d.flag))
		}
	}
	return nil
}

// checkAddresses returns a fault for the first setting that should be the address of
// another server and is not. The fault does not repeat the value: it may hold a key
// by mistake.
func (s *Settings) checkAddresses() error {
	for _, a := range []struct{ flag, is string }{
		{"model-url", s.ModelURL}, {"embedding-url", s.EmbeddingURL}, {"searxng-url", s.SearXNGURL}, {"brave-url", s.BraveURL},
		{"tavily-url", s.TavilyURL}, {"speech-url", s.SpeechURL}, {"governance-url", s.GovernanceURL},
	} {
		u, err := url.Parse(a.is)
		switch {
		case a.is == "":
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
			return fault.New(fault.Invalid, "must be an address such as https://host/v1").At(setting(a.flag))
		case u.User != nil:
			return fault.New(fault.Invalid, "must hold no user or password; give the key in the setting for it").At(setting(a.flag))
		case a.flag != "governance-url" && (u.RawQuery != "" || u.Fragment != ""):
			return fault.New(fault.Invalid, "must end before the ? or the #; paths are put at its end").At(setting(a.flag))
		}
	}
	return nil
}

// checkFolders returns a fault for the first folder that was named and is missing.
// The default folder of documents, in the data folder, may be made later.
func (s *Settings) checkFolders() error {
	for _, d := range []struct{ flag, is string }{{"documents-dir", s.DocumentsDir}, {"warehouse-dir", s.WarehouseDir}} {
		if d.is == "" {
			continue
		}
		if st, err := os.Stat(d.is); err != nil || !st.IsDir() {
			return fault.New(fault.Invalid, "must be a folder that this user may read; %s is none: make it, or name another", d.is).At(setting(d.flag))
		}
	}
	return nil
}
