package brief_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"quaestor/chat/brief"
	"quaestor/obligations"
	"quaestor/research/reader"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func written(t testing.TB, f sessions.Format, m brief.Material) []byte {
	t.Helper()
	out, err := brief.Write(f, m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// readBack is the text of a file as our own reader gets it, without line ends.
func readBack(t testing.TB, name string, body []byte) string {
	t.Helper()
	doc, err := reader.Text(name, "", body)
	if err != nil {
		t.Fatalf("read %s back: %v", name, err)
	}
	return strings.Join(strings.Fields(doc.Text), " ")
}

// What a brief says stands in every form of it.
func TestBriefIsReadBackFromWordAndPDF(t *testing.T) {
	t.Parallel()

	for _, f := range []sessions.Format{sessions.DOCX, sessions.PDF} {
		text := readBack(t, "brief."+string(f), written(t, f, bakery(t)))
		for _, want := range []string{"Business profile", "A business as it is.", "Ben (guest)", "What is known", "& rolls, / baked at night", "(sure)",
			"anna said, in turn 2", "“about 1200 of us”", "Two people say different things.", "It holds for now.", "Who buys from you?", "It was not answered, by choice.",
			"How many bakeries are there?", "Bakeries <in> figures", "Next steps", "# not a heading"} {
			if !strings.Contains(plain(text), plain(want)) {
				t.Errorf("the %s lacks %q:\n%s", f, want, text)
			}
		}
	}
}

// plain leaves out what readers put in: escapes of Markdown, and space.
func plain(s string) string {
	return strings.NewReplacer(`\`, "", " ", "", "*", "").Replace(s)
}

func TestWordDocumentIsWhole(t *testing.T) {
	t.Parallel()

	parts := unzipped(t, written(t, sessions.DOCX, bakery(t)))

	document := parts["word/document.xml"]
	for _, want := range []string{`<w:pStyle w:val="Title"/>`, `<w:pStyle w:val="Heading1"/>`, `<w:pStyle w:val="Heading2"/>`, `<w:numId w:val="1"/>`, `<w:tbl>`, `<w:footerReference`, `r:id="link1"`} {
		if !strings.Contains(document, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
	for part, want := range map[string]string{"docProps/core.xml": "<dc:title>Business profile</dc:title>", "word/footer1.xml": `w:instr="PAGE"`,
		"word/_rels/document.xml.rels": `Target="https://example.org/bakeries?a=1&amp;b=2" TargetMode="External"`} {
		if !strings.Contains(parts[part], want) {
			t.Errorf("%s lacks %s:\n%s", part, want, parts[part])
		}
	}
	for _, style := range regexp.MustCompile(`<w:(?:p|r|tbl)Style w:val="(\w+)"`).FindAllStringSubmatch(document, -1) {
		if !strings.Contains(parts["word/styles.xml"], `w:styleId="`+style[1]+`"`) {
			t.Errorf("the style %s is not there", style[1])
		}
	}
	for _, override := range regexp.MustCompile(`PartName="/([^"]+)"`).FindAllStringSubmatch(parts["[Content_Types].xml"], -1) {
		if parts[override[1]] == "" {
			t.Errorf("the part %s is declared and not there", override[1])
		}
	}
}

// unzipped returns the parts of a Word document, all of which have to be
// well-formed XML.
func unzipped(t testing.TB, body []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(part)
		for d := xml.NewDecoder(bytes.NewReader(part)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v in %.300q", f.Name, err, part)
			}
		}
	}
	return out
}

func TestPDFIsWhole(t *testing.T) {
	t.Parallel()

	body := string(written(t, sessions.PDF, bakery(t)))

	for _, want := range []string{"%PDF-", "/Type /Outlines", "/FontFile2", "/ToUnicode", "/URI (https://example.org/bakeries?a=1&b=2)", "/Lang", "%%EOF"} {
		if !strings.Contains(body, want) {
			t.Errorf("the PDF lacks %s", want)
		}
	}
	for i, m := range regexp.MustCompile(`(?m)^(\d{10}) 00000 n`).FindAllStringSubmatch(body, -1) {
		if at, err := strconv.Atoi(m[1]); err != nil || !strings.HasPrefix(body[at:], strconv.Itoa(i+1)+" 0 obj") {
			t.Errorf("object %d is not at %s", i+1, m[1])
		}
	}
	if m := regexp.MustCompile(`startxref\n(\d+)`).FindStringSubmatch(body); m == nil || !strings.HasPrefix(body[strings.LastIndex(body, "\nxref\n")+1:], "xref") || m[1] != strconv.Itoa(strings.LastIndex(body, "\nxref\n")+1) {
		t.Errorf("the table of objects is not at %v", m)
	}
	if text := readBack(t, "brief.pdf", []byte(body)); !strings.Contains(plain(text), "page1of") || !strings.Contains(plain(text), plain("□ stands for 2 characters")) {
		t.Errorf("the PDF has no page numbers, or does not say what it cannot draw:\n%s", text)
	}
}

// A PDF that has all its characters says nothing of others, and one that lacks
// some draws a box for each.
func TestPDFDrawsABoxForWhatItsFontsLack(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, in string
		boxes    int
	}{
		{"latin", "naïve café, Łódź, Ağrı, ﬁ", 0},
		{"letters and accents apart", "cafe\u0301", 0},
		{"greek and cyrillic", "Ελλάδα Россия", 0},
		{"chinese", "面包", 2},
		{"arabic", "خبز", 3},
		{"emoji of several characters", "👩\u200d🍳 ✌\ufe0f", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			m := brief.Material{Definition: &objectives.Definition{DisplayName: "Bread", Description: tt.in}, Session: sessions.Session{User: "anna"}}
			text := readBack(t, "brief.pdf", written(t, sessions.PDF, m))

			want := tt.boxes
			if want > 0 {
				want++ // the one that is explained
			}
			if got := strings.Count(text, "□"); got != want {
				t.Errorf("%q is drawn with %d boxes, want %d:\n%s", tt.in, got, want, text)
			}
		})
	}
}

// A value of 20,000 characters in one word goes on over lines and pages.
func TestLongWordsAreCutNowhere(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("abcdefghij", 2000)
	m := bakery(t)
	m.Obligations[0].Value = raw(t, long)
	m.Obligations[0].Label = strings.Repeat("W", 300)

	for _, f := range []sessions.Format{sessions.Markdown, sessions.DOCX, sessions.PDF} {
		text := string(written(t, f, m))
		if f != sessions.Markdown {
			text = readBack(t, "brief."+string(f), []byte(text))
		}
		text = regexp.MustCompile(`Business profile, page \d+ of \d+`).ReplaceAllString(text, "")
		if !strings.Contains(strings.ReplaceAll(text, " ", ""), long) {
			t.Errorf("the %s does not hold the whole value", f)
		}
	}
}

// hostile fills a brief with a text wherever one can come from people or pages.
func hostile(t testing.TB, text string) brief.Material {
	m := bakery(t)
	value, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	m.Definition.DisplayName, m.Definition.Description, m.Session.User = text, text, text
	for i := range m.Obligations {
		o := &m.Obligations[i]
		o.Template = &obligations.Template{Key: o.Key, Label: text, Category: text, Prompt: text}
		if o.Value != nil {
			o.Value = value
		}
		for j := range o.Evidence {
			o.Evidence[j].Quote, o.Evidence[j].By, o.Evidence[j].Source = text, text, text
		}
	}
	r := &m.Research[0]
	r.Task.Order.Query, r.Task.Summary, r.Sources[0].Title, r.Sources[0].URL, r.Claims[0].Text, r.Claims[0].Quote = text, text, text, text, text, text
	r.Task.Proposal.Value = value
	m.Messages[1].Content, m.Conflicts[0].Sides[0].Value = text, value
	return m
}

var hostiles = []string{
	"", " ", "\x00\x01\x02\x1f\x7f\u0085", "\u202eoverridden\u202c", "👩‍👩‍👧‍👦 🏳️‍🌈", "\xff\xfe broken", "\ufffe\uffff", "]]> <!-- & \" ' <script>alert(1)</script>",
	"=HYPERLINK(\"x\")", "+1", "@SUM(A1)", "\t=1", "{nb}", "%!d(MISSING)", "line\r\nline\rline\u2028line", "a|b\n# c\n- d\n> e\n1. f\n---", "[a](javascript:alert(1))", "https://user@example.org/x",
	"https://example.org/ü?q=a)b(c\\", "![x](https://example.org/x.png) `code` ~~~", "\u0301\u0301", "&#x1F; &amp; &lt;", strings.Repeat("€", 5000), "(\\)", "_x0001_",
}

func TestHostileTextIsTextInEveryForm(t *testing.T) {
	t.Parallel()

	for _, text := range hostiles {
		checkForms(t, hostile(t, text))
	}
}

func FuzzForms(f *testing.F) {
	for _, text := range hostiles {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			t.Skip("what is long is tried by a test of its own")
		}
		checkForms(t, hostile(t, text))
	})
}

// checkForms holds each form of a brief to what its readers can stand.
func checkForms(t *testing.T, m brief.Material) {
	t.Helper()
	markdown := string(written(t, sessions.Markdown, m))
	if !utf8.ValidString(markdown) || strings.ContainsFunc(markdown, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e }) {
		t.Errorf("the Markdown holds characters nobody sees: %q", markdown)
	}
	if n := strings.Count(markdown, "\n## "); n > 8 {
		t.Errorf("the Markdown has %d parts, so text became a heading:\n%s", n, markdown)
	}
	for _, link := range regexp.MustCompile(`\]\(<([^>]*)>`).FindAllStringSubmatch(markdown, -1) {
		if !strings.HasPrefix(link[1], "https://") && !strings.HasPrefix(link[1], "http://") {
			t.Errorf("the Markdown links to %q", link[1])
		}
	}
	parts := unzipped(t, written(t, sessions.DOCX, m))
	if readBack(t, "brief.docx", written(t, sessions.DOCX, m)) == "" || strings.Contains(parts["word/_rels/document.xml.rels"], "javascript:") {
		t.Error("the Word document holds nothing, or leads to a script")
	}
	if pdf := written(t, sessions.PDF, m); !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("the PDF begins with %.20q", pdf)
	}
	written(t, sessions.CSV, m)
	written(t, sessions.JSON, m)
}
