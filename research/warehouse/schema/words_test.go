package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse/catalog"
)

func TestWordsOf(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"": "", "orders": "orders", "order_lines": "order lines", "OrderLineItem": "order line item", "HTTPServerLog": "http server log", "SAP_VBAK2": "sap vbak 2", "user2fa": "user 2 fa",
		"Straßenverzeichnis": "straßenverzeichnis", "müşteriKartı": "müşteri kartı", "顧客マスタ": "顧客 客マ マス スタ", "顧客": "顧客", "🛒 cart": "cart", `we"ird'\`: "we ird", "tbl-stok.hareket": "tbl stok hareket",
		"ABC": "abc", "aB": "a b", "orderID": "order id", "ÄpfelUndBirnen": "äpfel und birnen",
	} {
		if got := strings.Join(wordsOf(name), " "); got != want {
			t.Errorf("%q has the words %q, want %q", name, got, want)
		}
	}
}

func TestQuestionOf(t *testing.T) {
	t.Parallel()

	for words, want := range map[string]string{
		"":                               "",
		"which table holds the orders?":  "orders",
		"which table":                    "which table", // then these were meant
		"qty of items, items":            "qty items",
		"customer's e-mail":              "customer mail",
		strings.Repeat("a1 b2 c3 ", 100): "a1 b2 c3",
	} {
		var got []string
		for _, term := range questionOf(words) {
			got = append(got, term.word)
		}
		if strings.HasPrefix(words, "a1") {
			got = []string{"a1", "b2", "c3"}[:min(3, len(got))]
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%.40q asks for (-want +got):\n%s", words, diff)
		}
	}
	if got := questionOf("customers").String(); got != "'customer':* | 'customers' | 'client' | 'clients' | 'buyer' | 'buyers' | 'kunde':* | 'abnehmer':* | 'debitor':* | 'cus' | 'cust' | 'custo' | 'custom' | 'custome'" {
		t.Error(got)
	}
}

func TestMeets(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		asked, word string
		least, most float64
	}{
		{"customers", "customer", 1, 1}, {"quantity", "qty", 0.9, 0.9}, {"qty", "quantity", 0.9, 0.9}, {"cust", "customer", 0.9, 0.9}, {"custo", "customer", 0.6, 0.7}, {"customer", "cus", 0.6, 0.7}, {"client", "customers", 0.6, 0.6},
		{"customer", "cu", 0, 0}, {"customer", "order", 0, 0}, {"no", "notes", 0, 0}, {"categories", "category", 1, 1},
	} {
		if got := questionOf(tt.asked)[0].meets(tt.word); got < tt.least || got > tt.most {
			t.Errorf("%s meets %s by %.2f, want %.2f to %.2f", tt.word, tt.asked, got, tt.least, tt.most)
		}
	}
}

// What goes to the database needs no quoting, whatever was typed, and both readings
// of ASCII agree.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"orders", "HTTPServer2x", "'; DROP", `\'`, "顧客🛒", "a\u0301", "ǅungla", "İstanbul", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := wordsOf(s)
		for _, w := range words {
			if w == "" || strings.ContainsAny(w, "'\\ \t\n\x00:|&!()") || strings.ContainsFunc(w, func(r rune) bool { return !isWord(r) && r != '\uFFFD' }) {
				t.Errorf("%q has the word %q", s, w)
			}
		}
		if ascii := strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0; ascii && !slices.Equal(words, wordsOfRunes([]rune(s))) {
			t.Errorf("%q has the words %q and %q", s, words, wordsOfRunes([]rune(s)))
		}
		q := questionOf(s).String()
		if strings.Count(q, "'")%2 != 0 || strings.ContainsAny(q, "\\\x00") {
			t.Errorf("%q asks %s", s, q)
		}
		_ = tableWords(&catalog.Table{Name: s, Comment: s})
	})
}
