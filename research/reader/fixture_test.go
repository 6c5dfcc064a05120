package reader_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// article is a page as sites make them: a frame of links around a text.
const article = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Cold stores in the north | Harbour News</title>
<meta property="article:published_time" content="2024-03-18T09:30:00+02:00"><style>.x{display:none}</style>
<script>var secret = "script words";</script></head>
<body><nav><ul><li><a href="/">Home</a></li><li><a href="/ships">Ships</a></li><li><a href="/prices">Prices</a></li></ul></nav>
<main><article><h1>Cold stores in the north</h1>
<p>The port opened <strong>three cold stores</strong> in 2023, and a fourth is planned for the coming winter, as its yearly report says.</p>
<p>Together they hold 42,000 tonnes of fish, fruit and medicine. The largest of them uses sea water for cooling, which saves a third of the power.</p>
<h2>What it costs</h2>
<p>A pallet costs 4.10 a week. Prices rose by 6 % in two years, which the port explains with the price of electricity and of insurance.</p>
<table><thead><tr><th>Store</th><th>Tonnes</th></tr></thead><tbody><tr><td>East</td><td>18,000</td></tr><tr><td>West</td><td>24,000</td></tr></tbody></table>
<ul><li>Fish: 60 %</li><li>Fruit: 30 %</li></ul>
<p>The area is 10<sup>4</sup> square metres. <img src="x.png" alt="alternative words" title="title words"></p>
<!-- comment words --></article></main>
<footer><p>Imprint and contact of the paper</p></footer></body></html>`

// zipOf returns an archive of the files, given as name and content in turn.
func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// wordFile returns a DOCX with the body given as XML.
func wordFile(t testing.TB, body string) []byte {
	t.Helper()
	return zipOf(t,
		"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document2.xml"/></Relationships>`,
		"docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Storage terms</dc:title><dcterms:created>2022-11-05T08:00:00Z</dcterms:created></cp:coreProperties>`,
		"word/document2.xml", `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w" xmlns:mc="m"><w:body>`+body+`</w:body></w:document>`)
}

// terms is the body of a document with a heading, a list, a table and what Word
// does not show.
const terms = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Terms</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">Goods are kept </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>for 30 days</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>fish</w:t></w:r></w:p><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>fruit</w:t></w:r></w:p>
<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>vanished words</w:t></w:r><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>white words</w:t></w:r><w:r><w:rPr><w:sz w:val="2"/></w:rPr><w:t>tiny words</w:t></w:r><w:del><w:r><w:delText>deleted words</w:delText></w:r></w:del></w:p>
<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>Once only</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>Once only</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>
<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill="000000"/></w:tcPr><w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Store</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Fee</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>East</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>4.10</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`

// pdfOf returns a PDF with one page a content stream.
func pdfOf(streams ...string) []byte {
	var b bytes.Buffer
	var at []int
	object := func(format string, args ...any) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(at))
		fmt.Fprintf(&b, format+"\nendobj\n", args...)
	}
	b.WriteString("%PDF-1.4\n")
	var kids []string
	for i := range streams {
		kids = append(kids, fmt.Sprintf("%d 0 R", 5+2*i))
	}
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [%s] >>", strings.Repeat("500 ", 95))
	object("<< /Title (Harbour fees) /CreationDate (D:20230704120000Z) >>")
	for i, s := range streams {
		object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", 6+2*i)
		object("<< /Length %d >>\nstream\n%s\nendstream", len(s), s)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
	return b.Bytes()
}

// fees is a PDF of two pages.
func fees() []byte {
	return pdfOf(
		"BT /F1 12 Tf 72 720 Td (Harbour fees for ships) Tj 0 -14 Td (A ship pays 12 a day.) Tj ET",
		"BT /F1 12 Tf 72 720 Td (Boats pay 3 a day.) Tj ET")
}
