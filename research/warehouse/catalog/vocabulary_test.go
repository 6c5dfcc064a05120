package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// styles are ways in which people name tables and columns.
var styles = map[string]struct{ schemas, words, ends []string }{
	"english":   {[]string{"sales", "finance", "public"}, strings.Fields("customer order invoice payment shipment product category warehouse employee contract subscription refund"), []string{"_line", "_history", "_status", "s", "_snapshot"}},
	"erp":       {[]string{"SAPSR3", "DBO", "NETSIS"}, strings.Fields("VBAK VBAP KNA1 MARA BKPF BSEG EKKO EKPO TBLSTHAR TBLCASABIT TBLFATUIRS LFA1 MSEG MKPF AUFK COEP"), []string{"", "_STG", "EK", "RA", "_BKP", "01"}},
	"lower erp": {[]string{"sapsr3", "dbo", "netsis"}, strings.Fields("vbak vbap kna1 mara bkpf bseg ekko ekpo tblsthar tblcasabit tblfatuirs lfa1 mseg mkpf aufk coep"), []string{"", "_stg", "ek", "ra", "_bkp", "01"}},
	"german":    {[]string{"vertrieb", "buchhaltung", "lager"}, strings.Fields("kundenstamm rechnungsposition lieferantenbestellung umsatzsteuervoranmeldung lagerbewegung artikelgruppe mahnwesen zahlungsbedingungen straßenverzeichnis"), []string{"", "_archiv", "_pos", "en", "_übersicht"}},
	"camelCase": {[]string{"dbo", "SalesOrders", "HumanResources"}, strings.Fields("CustomerAddress OrderLineItem ProductModelDescription EmployeePayHistory WorkOrderRouting XMLDocumentStore APIRequestLog"), []string{"", "Xref", "V2", "Detail", "Map"}},
	"numbers":   {[]string{"ds_4711", "raw_2026", "p0042"}, strings.Fields("t00193847 evt_20260117 f1040 x9y8z7 acct_99881 tbl0001 m3 kpi_778812"), []string{"_001", "_20260101", "_v12", "9", "_55120"}},
	"short":     {[]string{"a", "q1", "x"}, strings.Fields("ab cd ef gh ij kl mn op qr st uv wx yz"), []string{"", "_t", "2", "_h", "_x"}},
	"turkish":   {[]string{"muhasebe", "stok"}, strings.Fields("müşteri_kartı fatura_kalemleri sipariş_başlığı şube_satışları ödeme_planı ürün_ağacı"), []string{"", "_yedek", "_arşiv"}},
	"japanese":  {[]string{"販売", "master"}, strings.Fields("顧客マスタ 受注明細 商品分類 在庫移動 請求書"), []string{"", "_履歴", "2"}},
}

// named returns n tables in a style, each with a join.
func named(style string, n int) []Table {
	s := styles[style]
	out := make([]Table, n)
	for i := range out {
		w, e := i%len(s.words), i/len(s.words)
		name := s.words[w] + s.ends[e%len(s.ends)]
		if round := e / len(s.ends); round > 0 {
			name = s.words[(w+round)%len(s.words)] + "_" + name
			if more := round / len(s.words); more > 0 {
				name += fmt.Sprintf("_%c%c", 'a'+more%26, 'a'+more/26%26)
			}
		}
		t := &out[i]
		t.Schema, t.Name, t.Rows = s.schemas[i%len(s.schemas)], name, int64(i)*7919%5_000_000
		t.Columns = make([]Column, 4+i*31%60)
		for c := range t.Columns {
			t.Columns[c] = Column{Name: s.words[(i+c)%len(s.words)] + s.ends[c%len(s.ends)], Type: "bigint", Key: c == 0}
		}
		to := Table{Schema: s.schemas[(i+1)%len(s.schemas)], Name: s.words[(i+3)%len(s.words)]}
		t.Foreign = []Foreign{{Columns: []string{"id"}, Table: to.Ref(), To: []string{"id"}}}
	}
	return out
}

func vocabulary(t testing.TB) func(text string) int {
	t.Helper()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) int {
		n, err := codec.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// The estimate is never so low that a prompt is a twentieth over its budget, and not
// so high that a quarter of the room is given away.
func TestTokensAgainstAVocabulary(t *testing.T) {
	t.Parallel()

	count := vocabulary(t)
	for style := range styles {
		x := NewIndex(named(style, 500))
		got := x.Render(Options{Words: []string{"order", "customer"}})
		real := count(got.Text)
		ratio := float64(got.Tokens) / float64(real)
		t.Logf("%-10s %d estimated, %d real: %.3f; %.2f bytes a token", style, got.Tokens, real, ratio, float64(len(got.Text))/float64(real))
		if ratio < 0.95 || ratio > 1.35 {
			t.Errorf("%s: %d tokens are estimated to be %d", style, real, got.Tokens)
		}
		var whole strings.Builder
		for i := range 20 {
			whole.WriteString(x.Describe(i))
		}
		real = count(whole.String())
		ratio = float64(Tokens(whole.String())) / float64(real)
		t.Logf("%-10s described: %.3f", style, ratio)
	}
}

// However many tables there are, as many as fit are in the budget by the real count.
func TestBudgetAgainstAVocabulary(t *testing.T) {
	t.Parallel()

	count := vocabulary(t)
	const budget = 8_000
	for _, n := range []int{2_000, 10_000, 100_000} {
		for style := range styles {
			if n > 2_000 && style != "english" && style != "erp" {
				continue
			}
			got := NewIndex(named(style, n)).Render(Options{Words: []string{"order", "customer"}, Budget: budget})
			if real := count(got.Text); real > budget || got.Tokens > budget || real < budget*2/3 && got.Left > 0 {
				t.Errorf("%d tables, %s: %d real tokens, %d estimated, %d left out, of a budget of %d", n, style, real, got.Tokens, got.Left, budget)
			}
		}
	}
}
