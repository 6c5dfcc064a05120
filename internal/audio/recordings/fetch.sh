#!/usr/bin/env bash
# Fetches recorded human speech from packages of Debian into a folder, as WAV files of
# 16,000 samples a second, for the benchmark RecordedSpeech. Nothing is installed, and the
# recordings stay where they are put: asterisk-core-sounds-en-wav (CC-BY-SA, telephone
# bandwidth), fillets-ng-data-nl (GPL, actors), klettres-data (GPL, letters) and
# pocketsphinx-testdata (BSD).
set -euo pipefail
out=$(realpath -m "${1:?usage: fetch.sh FOLDER}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q asterisk-core-sounds-en-wav fillets-ng-data-nl klettres-data pocketsphinx-testdata
for package in *.deb; do dpkg -x "$package" root; done

# convert NAME FILE: one recording, mono, in the group that it belongs to.
convert() {
  mkdir -p "$out/$(dirname "$1")"
  sox -V1 -R "$2" -b 16 -c 1 -r 16000 "$out/$1.wav"
}

share=root/usr/share
(cd $share/asterisk/sounds/en_US_f_Allison && find . -name '*.wav' ! -path './silence/*' ! -name '*tone*' ! -name 'beep*') | sort | while read -r f; do
  convert "asterisk/$(echo "${f#./}" | tr / - | sed 's/\.wav$//')" "$share/asterisk/sounds/en_US_f_Allison/$f"
done
find $share/games/fillets-ng/sound -path '*/nl/*.ogg' | sort | awk 'NR % 4 == 1' | while read -r f; do
  convert "fillets/$(echo "${f#"$share"/games/fillets-ng/sound/}" | tr / - | sed 's/\.ogg$//')" "$f"
done
for language in en en_GB de; do
  # The German f, s and z are hissed, and not called by their names.
  find $share/klettres/$language/alpha -name '*.ogg' ! -path '*/de/alpha/[fsz].ogg' | sort | while read -r f; do
    convert "letters-$language/$(basename "$f" .ogg)" "$f"
  done
done
find $share/pocketsphinx/test/data/librivox $share/pocketsphinx/test/data/cards -name '*.wav' | sort | while read -r f; do
  convert "sphinx/$(basename "$f" .wav)" "$f"
done
for f in goforward numbers something; do
  mkdir -p "$out/sphinx"
  sox -V1 -t raw -r 16000 -e signed -b 16 -c 1 "$share/pocketsphinx/test/data/$f.raw" "$out/sphinx/$f.wav"
done
echo "$(find "$out" -name '*.wav' | wc -l) recordings in $out"
